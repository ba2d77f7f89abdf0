/// How a handshake fails.
public enum TLSFault: String, CaseIterable, Sendable {
    /// The server's certificate has expired.
    case expired
    /// The server's certificate is signed by an untrusted authority.
    case untrusted
    /// The server's certificate is for another host.
    case wrongHost = "wrong_host"
    /// The server does not speak HTTP/2.
    case noHTTP2 = "no_http2"
    /// The server sends the alert `handshake_failure`.
    case refused
    /// The server sends the alert `certificate_revoked`.
    case revoked
    /// The server sends the alert `internal_error`.
    case broken
    /// The server never sends anything.
    case silent
    /// The server does not speak TLS.
    case plain

    /// The bytes sent instead of a handshake; nil when there is one.
    var reply: [UInt8]? {
        switch self {
        case .expired, .untrusted, .wrongHost, .noHTTP2: nil
        case .refused: Self.alert(40)
        case .revoked: Self.alert(44)
        case .broken: Self.alert(80)
        case .silent: []
        case .plain: [UInt8]("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n".utf8)
        }
    }

    /// A fatal alert in a separate record (RFC 8446, 5.1 and 6).
    private static func alert(_ number: UInt8) -> [UInt8] { [0x15, 3, 3, 0, 2, 2, number] }
}
