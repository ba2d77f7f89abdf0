internal import COpenSSL

/// Stands in for the network: the ciphertext received, and the ciphertext to send.
///
/// OpenSSL reaches it through a custom BIO. Its own memory BIO repeatedly clears a buffer that was
/// once large, and copies what a socket did not accept.
struct TLSBuffers: ~Copyable {
    var input = ByteQueue()
    var output = ByteQueue()
}

/// The type of BIO that reads and writes ``TLSBuffers``.
@safe
struct TLSBufferMethod: @unchecked Sendable {
    // Created once and never changed; OpenSSL only reads it.
    private let pointer: OpaquePointer

    static let shared = TLSBufferMethod()

    private init() {
        let kind = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
        guard let method = unsafe BIO_meth_new(kind, "buffers of apns-bridge") else {
            preconditionFailure("memory must suffice for one kind of BIO")
        }
        unsafe BIO_meth_set_read_ex(method, readCiphertext)
        unsafe BIO_meth_set_write_ex(method, writeCiphertext)
        unsafe BIO_meth_set_ctrl(method, control)
        unsafe pointer = method
    }

    /// A BIO over buffers, which must outlive it; nil without memory.
    func bio(over buffers: UnsafeMutablePointer<TLSBuffers>) -> OpaquePointer? {
        guard let bio = unsafe BIO_new(pointer) else { return nil }
        unsafe BIO_set_data(bio, buffers)
        unsafe BIO_set_init(bio, 1)
        return unsafe bio
    }
}

private func buffers(of bio: OpaquePointer?) -> UnsafeMutablePointer<TLSBuffers>? {
    unsafe BIO_get_data(bio)?.assumingMemoryBound(to: TLSBuffers.self)
}

private let waitsForMore = BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY

/// Returns received ciphertext; if there is none, OpenSSL has to retry.
private func readCiphertext(
    _ bio: OpaquePointer?, _ out: UnsafeMutablePointer<CChar>?, _ room: Int,
    _ taken: UnsafeMutablePointer<Int>?
) -> Int32 {
    unsafe BIO_clear_flags(bio, waitsForMore)
    guard let buffers = unsafe buffers(of: bio) else { return 0 }
    let count = unsafe buffers.pointee.input.take(
        into: UnsafeMutableRawBufferPointer(start: out, count: room))
    unsafe taken?.pointee = count
    if count == 0 { unsafe BIO_set_flags(bio, waitsForMore) }
    return count > 0 ? 1 : 0
}

private func writeCiphertext(
    _ bio: OpaquePointer?, _ bytes: UnsafePointer<CChar>?, _ count: Int,
    _ taken: UnsafeMutablePointer<Int>?
) -> Int32 {
    unsafe BIO_clear_flags(bio, waitsForMore)
    guard let buffers = unsafe buffers(of: bio) else { return 0 }
    unsafe buffers.pointee.output.append(UnsafeRawBufferPointer(start: bytes, count: count))
    unsafe taken?.pointee = count
    return 1
}

private func control(
    _ bio: OpaquePointer?, _ command: Int32, _ number: Int, _ pointer: UnsafeMutableRawPointer?
) -> Int {
    guard let buffers = unsafe buffers(of: bio) else { return 0 }
    return switch command {
    case BIO_CTRL_FLUSH: 1
    case BIO_CTRL_PENDING: unsafe buffers.pointee.input.count
    case BIO_CTRL_WPENDING: unsafe buffers.pointee.output.count
    default: 0
    }
}
