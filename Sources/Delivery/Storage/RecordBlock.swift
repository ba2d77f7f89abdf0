/// The location of a stored record.
@safe @usableFromInline struct RecordBlock {
    @usableFromInline let start: UnsafeMutableRawPointer
    /// The size of its size class, in bytes.
    @usableFromInline let size: Int
    /// The number of its chunk.
    let chunk: Int

    init(start: UnsafeMutableRawPointer, size: Int, chunk: Int) {
        unsafe self.start = unsafe start
        self.size = size
        self.chunk = chunk
    }
}
