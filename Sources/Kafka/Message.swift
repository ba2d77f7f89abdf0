/// A buffer into which the library writes a message.
@safe struct Message: ~Copyable {
    private let buffer: UnsafeMutableBufferPointer<CChar>

    init() {
        unsafe buffer = .allocate(capacity: 512)
        unsafe buffer.initialize(repeating: 0)
    }

    deinit { unsafe buffer.deallocate() }

    var start: UnsafeMutablePointer<CChar>? { unsafe buffer.baseAddress }
    var size: Int { unsafe buffer.count }

    /// The text up to the first zero byte.
    var text: String {
        String(
            decoding: unsafe buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self)
    }
}
