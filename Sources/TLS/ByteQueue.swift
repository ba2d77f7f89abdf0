/// Bytes that wait, oldest first, in one piece of memory that grows and is used again.
@safe
struct ByteQueue: ~Copyable {
    /// More than this is not kept for later.
    private static let largest = 1 << 17
    private static let usual = 1 << 12
    private var storage: UnsafeMutableRawBufferPointer
    private var first = 0
    /// How many bytes wait.
    private(set) var count = 0

    /// How many bytes there is memory for.
    var capacity: Int { unsafe storage.count }

    init() { unsafe storage = .allocate(byteCount: Self.usual, alignment: 16) }

    deinit { unsafe storage.deallocate() }

    /// All that waits.
    var waiting: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: storage[first..<first + count])
    }

    /// Adds a copy of bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, unsafe !bytes.isEmpty else { return }
        if unsafe first + count + bytes.count > storage.count { makeRoom(for: bytes.count) }
        guard let base = unsafe storage.baseAddress else { return }
        unsafe (base + first + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    /// Makes room for so many bytes more.
    mutating func reserve(_ more: Int) {
        if unsafe first + count + more > storage.count { makeRoom(for: more) }
    }

    /// Takes as many bytes as there are and fit; says how many.
    mutating func take(into room: UnsafeMutableRawBufferPointer) -> Int {
        let taken = min(room.count, count)
        unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: waiting[..<taken]))
        drop(taken)
        return taken
    }

    /// Forgets the oldest bytes.
    mutating func drop(_ taken: Int) {
        precondition((0...count).contains(taken), "no more can be taken than waits")
        first += taken
        count -= taken
        guard count == 0 else { return }
        first = 0
        if unsafe storage.count > Self.largest { replaceStorage(Self.usual) }
    }

    /// Moves what waits to the front, into more memory if it needs that.
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
