/// Pending output, contiguous, in reused memory that grows on demand.
@safe
struct OutputBuffer: ~Copyable {
    private var storage: UnsafeMutableRawBufferPointer
    /// The number of pending bytes.
    private(set) var count = 0
    /// How many bytes were ever written: the connection-wide position of the next one.
    private(set) var position = 0

    init() { unsafe storage = .allocate(byteCount: 4096, alignment: 16) }

    deinit { unsafe storage.deallocate() }

    /// Appends a copy of bytes.
    mutating func append(_ bytes: UnsafePointer<UInt8>, count more: Int) {
        if unsafe count + more > storage.count { grow(to: count + more) }
        guard let base = unsafe storage.baseAddress else { return }
        unsafe (base + count).copyMemory(from: bytes, byteCount: more)
        count += more
        position += more
    }

    /// Changes the length in a frame header.
    mutating func setLength(ofFrameAt position: Int, to length: Int) {
        precondition(position >= 0 && position + 3 <= count, "the header was written")
        for byte in 0..<3 {
            unsafe storage[position + byte] = UInt8(truncatingIfNeeded: length >> (16 - 8 * byte))
        }
    }

    private mutating func grow(to needed: Int) {
        let larger = unsafe UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(needed, 2 * storage.count), alignment: 16)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(storage))
        unsafe storage.deallocate()
        unsafe storage = larger
    }

    /// Calls `body` with all pending output and discards it.
    mutating func flush(_ body: (RawSpan) -> Void) {
        guard count > 0 else { return }
        let waiting = unsafe UnsafeRawBufferPointer(rebasing: storage[..<count])
        unsafe body(waiting.bytes)
        count = 0
    }
}
