internal import EventLoop
internal import HTTP2
internal import TLS

/// Why a connection could not be made, or ended.
public struct ConnectionFailure: Error, Sendable {
    /// What kind of failure it is, as far as a user can do something about it.
    public enum Cause: Sendable {
        /// The host name has no address.
        case lookup
        /// Nobody takes connections at the address.
        case refused
        /// No response in time.
        case silence
        /// The certificate does not come from a trusted authority, or is not valid now.
        case certificate
        /// The certificate is for another host.
        case hostName
        /// The proxy does not open the way.
        case proxy
        /// The other side does not speak HTTP/2 over TLS.
        case notAPNs
        /// Anything else.
        case other
    }

    /// What kind of failure it is.
    public var cause: Cause
    /// What happened, in words for people: host, address and cause in one line.
    public var words: String

    init(_ words: String, _ cause: Cause = .other) {
        self.words = words
        self.cause = cause
    }

    init(_ error: TLSError) {
        let cause: Cause =
            switch error.code {
            case .untrustedPeer: .certificate
            case .hostNameMismatch: .hostName
            case .noCommonProtocol, .noCommonVersion, .protocolViolation: .notAPNs
            default: .other
            }
        self.init("TLS: \(error)", cause)
    }

    init(_ error: HTTP2Error) { self.init("HTTP/2: \(error)", .notAPNs) }
    init(_ error: KernelError) { self.init("\(error.operation): \(error.description)") }

    /// The same failure of something that has a name.
    func of(_ name: String) -> ConnectionFailure {
        ConnectionFailure("\(name): \(words)", cause)
    }
}

/// Says a length of time in seconds.
func inSeconds(_ nanoseconds: UInt64) -> String {
    let milliseconds = nanoseconds / 1_000_000
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
}
