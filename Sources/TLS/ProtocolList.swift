internal import COpenSSL

/// Application protocols in the handshake's encoding, at a fixed address.
///
/// Sendable because it never changes. OpenSSL's callback reads it through ``pointer`` as long as a
/// session exists, and every session keeps its context alive.
@safe
final class ProtocolList: @unchecked Sendable {
    /// The names, each preceded by its length.
    let bytes: [UInt8]
    /// The callback's argument: the same bytes, and their number.
    let pointer: UnsafeMutablePointer<UnsafeMutableBufferPointer<UInt8>>

    init(_ names: [String]) throws(TLSError) {
        var bytes: [UInt8] = []
        for name in names {
            guard (1...255).contains(name.utf8.count) else {
                throw TLSError(.noCommonProtocol, "'\(name)' is not a valid application protocol")
            }
            bytes.append(UInt8(name.utf8.count))
            bytes += Array(name.utf8)
        }
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = unsafe copy.initialize(from: bytes)
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: copy)
        self.bytes = bytes
    }

    deinit {
        unsafe pointer.pointee.deallocate()
        unsafe pointer.deallocate()
    }
}

/// Selects the first of our protocols that the client offers, or fails the handshake.
func selectProtocol(
    _ session: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ chosenLength: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?,
    _ offeredLength: UInt32, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard
        let list = unsafe context?.assumingMemoryBound(
            to: UnsafeMutableBufferPointer<UInt8>.self
        ).pointee
    else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    var found: UnsafeMutablePointer<UInt8>?
    let response = unsafe SSL_select_next_proto(
        &found, chosenLength, list.baseAddress, UInt32(list.count), offered, offeredLength)
    guard response == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    unsafe chosen?.pointee = unsafe UnsafePointer(found)
    return SSL_TLSEXT_ERR_OK
}
