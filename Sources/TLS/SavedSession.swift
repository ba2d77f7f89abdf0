internal import COpenSSL

/// One session that may be resumed, owned.
///
/// Sendable because OpenSSL counts its references atomically and it is not changed any more.
@safe
final class SavedSession: @unchecked Sendable {
    let host: String
    let pointer: OpaquePointer

    /// Takes over one reference.
    init(host: String, owning pointer: OpaquePointer) {
        self.host = host
        unsafe self.pointer = pointer
    }

    deinit { unsafe SSL_SESSION_free(pointer) }

    /// False when its connection broke down in a way that spoilt it.
    var isResumable: Bool { unsafe SSL_SESSION_is_resumable(pointer) == 1 }

    var isForOnce: Bool { unsafe SSL_SESSION_get_protocol_version(pointer) >= TLS1_3_VERSION }
}
