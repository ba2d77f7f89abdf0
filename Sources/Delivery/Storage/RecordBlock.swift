/// Where a stored record lies.
@safe @usableFromInline struct RecordBlock {
    @usableFromInline let start: UnsafeMutableRawPointer
    /// In bytes, all of its size class.
    let size: Int
    /// The number of its chunk.
    let chunk: Int

    init(start: UnsafeMutableRawPointer, size: Int, chunk: Int) {
        unsafe self.start = unsafe start
        self.size = size
        self.chunk = chunk
    }
}
