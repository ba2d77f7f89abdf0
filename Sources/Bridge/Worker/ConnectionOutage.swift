public import APNs
public import Delivery

/// Since when a route has no connection to APNs, and why.
public struct ConnectionOutage: Equatable, Sendable {
    /// When the first attempt failed, on the kernel's monotonic clock.
    public var since: Instant
    /// How many attempts have failed since.
    public var failures: Int
    /// Why the last one failed.
    public var cause: ConnectionFailure.Cause
    /// The same in detail, with host and address.
    public var detail: String
}

extension ConnectionFailure.Cause {
    /// The step that failed, in a few words.
    var step: String {
        switch self {
        case .lookup: "the DNS lookup failed"
        case .refused: "the connection was refused"
        case .silence: "no response"
        case .proxy: "the proxy opens no tunnel"
        case .certificate, .hostName, .credential, .handshake, .alert: "the TLS handshake failed"
        case .notAPNs: "the peer does not speak HTTP/2"
        case .resources: "the process lacks descriptors, threads or memory"
        case .other: "the connection failed"
        }
    }
}
