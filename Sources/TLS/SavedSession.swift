internal import COpenSSL

/// An owned session that may be resumed.
///
/// Sendable because OpenSSL counts its references atomically and it no longer changes.
@safe
final class SavedSession: @unchecked Sendable {
    let host: String
    let pointer: OpaquePointer

    /// Takes ownership of one reference.
    init(host: String, owning pointer: OpaquePointer) {
        self.host = host
        unsafe self.pointer = pointer
    }

    deinit { unsafe SSL_SESSION_free(pointer) }

    /// False when its connection failed in a way that makes it unusable.
    var isResumable: Bool { unsafe SSL_SESSION_is_resumable(pointer) == 1 }

    var isForOnce: Bool { unsafe SSL_SESSION_get_protocol_version(pointer) >= TLS1_3_VERSION }
}
