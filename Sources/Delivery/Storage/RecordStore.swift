/// The memory of the records that a worker has taken and not finished.
///
/// Blocks of one size class are grouped in chunks and reused; all but a few empty chunks are freed.
/// So a record that waits for hours retains its own block only, and none of the records fetched
/// with it.
@safe public struct RecordStore: ~Copyable {
    /// The minimum size of a chunk, in bytes.
    static let chunkSize = 65_536
    /// The number of empty chunks kept per size class, unless they are large.
    static let spareChunks = 4
    /// The size in bytes above which no empty chunk is kept.
    static let largestSpare = 262_144

    private var chunks: [RecordChunk] = []
    private var freeNumbers: [Int] = []
    /// The chunks with a free block, by size class.
    private var available: [[Int]] = []
    private var emptyCounts: [Int] = []
    /// The memory of all chunks in bytes, used or not.
    public private(set) var byteCount = 0

    /// Creates an empty store.
    public init() {}

    deinit {
        for chunk in chunks where chunk.size > 0 { unsafe chunk.start.deallocate() }
    }

    /// Copies a record, with room for this many more bytes. Headers whose names start with
    /// `prefix` are left out.
    public mutating func copy(
        _ record: borrowing Record, adding extra: Int, leavingOut prefix: StaticString? = nil
    ) -> RecordCopy {
        copy(record, adding: extra, leavingOut: prefix, origin: RecordOrigin(of: record))
    }

    /// The same for an event whose position is not the record's own.
    public mutating func copy(
        _ record: borrowing Record, adding extra: Int, leavingOut prefix: StaticString? = nil,
        origin: consuming RecordOrigin
    ) -> RecordCopy {
        let size = record.storedSize(leavingOut: prefix)
        return RecordCopy(
            record, origin, to: allocate(size.bytes + extra), headers: size.headers,
            leavingOut: prefix)
    }

    /// Frees the memory of a record.
    public mutating func release(_ record: consuming RecordCopy) {
        let block = record.block
        let number = block.chunk
        let wasFull = chunks[number].isFull
        unsafe chunks[number].free(block.start)
        let sizeClass = chunks[number].sizeClass
        if wasFull { available[sizeClass].append(number) }
        guard chunks[number].isEmpty else { return }
        emptyCounts[sizeClass] += 1
        let spare = chunks[number].size > Self.largestSpare ? 0 : Self.spareChunks
        if emptyCounts[sizeClass] > spare { remove(number) }
    }

    private mutating func allocate(_ size: Int) -> RecordBlock {
        let sizeClass = SizeClass.index(of: size)
        while available.count <= sizeClass {
            available.append([])
            emptyCounts.append(0)
        }
        let number = available[sizeClass].last ?? addChunk(sizeClass)
        if chunks[number].isEmpty { emptyCounts[sizeClass] -= 1 }
        let start = unsafe chunks[number].allocate()
        if chunks[number].isFull { available[sizeClass].removeLast() }
        return unsafe RecordBlock(
            start: start, size: chunks[number].blockSize, chunk: number)
    }

    private mutating func addChunk(_ sizeClass: Int) -> Int {
        let chunk = RecordChunk(sizeClass: sizeClass, atLeast: Self.chunkSize)
        byteCount += chunk.size
        let number = freeNumbers.popLast() ?? chunks.count
        if number == chunks.count { chunks.append(chunk) } else { chunks[number] = chunk }
        available[sizeClass].append(number)
        emptyCounts[sizeClass] += 1
        return number
    }

    private mutating func remove(_ number: Int) {
        let sizeClass = chunks[number].sizeClass
        available[sizeClass].removeAll { $0 == number }
        emptyCounts[sizeClass] -= 1
        byteCount -= chunks[number].size
        unsafe chunks[number].start.deallocate()
        chunks[number].size = 0
        freeNumbers.append(number)
    }
}

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
