/// Adjacent blocks of one size.
@safe struct RecordChunk {
    let start: UnsafeMutableRawPointer
    /// In bytes; 0 when its memory was freed.
    var size: Int
    let sizeClass: Int
    let blockSize: Int
    private let blockCount: Int
    private var used = 0
    /// Blocks from here on have never been used.
    private var fresh = 0
    /// The first free block below `fresh`; each contains the address of the next.
    private var firstFree: UnsafeMutableRawPointer?

    init(sizeClass: Int, atLeast bytes: Int) {
        self.sizeClass = sizeClass
        blockSize = SizeClass.size(of: sizeClass)
        blockCount = max(1, bytes / blockSize)
        size = blockSize * blockCount
        unsafe start = .allocate(byteCount: size, alignment: 16)
        unsafe firstFree = nil
    }

    var isEmpty: Bool { used == 0 }
    var isFull: Bool { used == blockCount }

    mutating func allocate() -> UnsafeMutableRawPointer {
        precondition(!isFull, "a chunk with a free block was chosen")
        used += 1
        if let block = unsafe firstFree {
            unsafe firstFree = block.load(as: UnsafeMutableRawPointer?.self)
            return unsafe block
        }
        fresh += 1
        return unsafe start.advanced(by: (fresh - 1) * blockSize)
    }

    mutating func free(_ block: UnsafeMutableRawPointer) {
        precondition(used > 0, "a block was freed twice")
        used -= 1
        unsafe block.storeBytes(of: firstFree, as: UnsafeMutableRawPointer?.self)
        unsafe firstFree = block
    }
}
