/// Queued bytes, contiguous, in reused memory that grows on demand.
@safe
struct ByteQueue: ~Copyable {
    /// The most memory kept for later.
    private static let largest = 1 << 17
    private static let usual = 1 << 12
    private var storage: UnsafeMutableRawBufferPointer
    private var first = 0
    /// The number of queued bytes.
    private(set) var count = 0

    /// The capacity of the memory.
    var capacity: Int { unsafe storage.count }

    init() { unsafe storage = .allocate(byteCount: Self.usual, alignment: 16) }

    deinit { unsafe storage.deallocate() }

    /// All queued bytes.
    var waiting: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: storage[first..<first + count])
    }

    /// Appends a copy of bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, unsafe !bytes.isEmpty else { return }
        if unsafe first + count + bytes.count > storage.count { makeRoom(for: bytes.count) }
        guard let base = unsafe storage.baseAddress else { return }
        unsafe (base + first + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    /// Makes room for this many more bytes.
    mutating func reserve(_ more: Int) {
        if unsafe first + count + more > storage.count { makeRoom(for: more) }
    }

    /// Removes as many bytes as are queued and fit; returns how many.
    mutating func take(into room: UnsafeMutableRawBufferPointer) -> Int {
        let taken = min(room.count, count)
        unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: waiting[..<taken]))
        drop(taken)
        return taken
    }

    /// Removes the oldest bytes.
    mutating func drop(_ taken: Int) {
        precondition((0...count).contains(taken), "no more can be taken than waits")
        first += taken
        count -= taken
        guard count == 0 else { return }
        first = 0
        if unsafe storage.count > Self.largest { replaceStorage(Self.usual) }
    }

    /// Moves the queued bytes to the front, enlarging the memory if needed.
    private mutating func makeRoom(for more: Int) {
        let needed = count + more
        guard unsafe needed > storage.count else {
            unsafe storage.copyMemory(from: waiting)
            first = 0
            return
        }
        unsafe replaceStorage(max(needed, 2 * storage.count))
    }

    private mutating func replaceStorage(_ size: Int) {
        let other = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        unsafe other.copyMemory(from: waiting)
        unsafe storage.deallocate()
        unsafe storage = other
        first = 0
    }
}
