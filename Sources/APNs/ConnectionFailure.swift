internal import Delivery
internal import EventLoop
internal import HTTP2
internal import TLS

/// Why a connection could not be opened, or broke.
public struct ConnectionFailure: Error, Sendable {
    /// The kind of failure, as far as a user can act on it.
    public enum Cause: Sendable {
        /// The host name has no address.
        case lookup
        /// Nothing listens at the address.
        case refused
        /// No response within the time limit.
        case silence
        /// The certificate is not signed by a trusted authority, or is not valid now.
        case certificate
        /// The certificate is for another host.
        case hostName
        /// The peer rejects our certificate, or requires one.
        case credential
        /// The peer ended the handshake without a reason: perhaps it rejects our certificate.
        case handshake
        /// The peer ended the connection with a TLS alert that does not concern our certificate.
        case alert
        /// The proxy does not open a tunnel.
        case proxy
        /// The peer does not speak HTTP/2 over TLS.
        case notAPNs
        /// This process, or its machine, lacks descriptors, threads or memory.
        case resources
        /// Anything else.
        case other
    }

    /// The kind of failure.
    public var cause: Cause
    /// A message with host, address and cause in one line.
    public var message: String

    init(_ message: String, _ cause: Cause = .other) {
        self.message = message
        self.cause = cause
    }

    init(_ error: TLSError) {
        let cause: Cause =
            switch error.code {
            case .untrustedPeer: .certificate
            case .hostNameMismatch: .hostName
            case .refusedByPeer: Cause(alert: error.alert)
            case .noCommonProtocol, .noCommonVersion, .protocolViolation: .notAPNs
            case .resources, .library: .resources
            default: .other
            }
        self.init("TLS: \(error)", cause)
    }

    init(_ error: HTTP2Error) { self.init("HTTP/2: \(error)", .notAPNs) }

    init(_ error: KernelError) {
        self.init(
            "\(error.operation): \(error.description)", error.lacksResources ? .resources : .other)
    }

    /// The same failure with a name in front.
    func of(_ name: String) -> ConnectionFailure {
        ConnectionFailure("\(name): \(message)", cause)
    }
}

extension ConnectionFailure.Cause {
    /// What an alert of the peer says about our certificate, by its number in RFC 8446.
    fileprivate init(alert: UInt8?) {
        switch alert {
        // no_certificate, bad_certificate, unsupported_certificate, certificate_revoked,
        // certificate_expired, certificate_unknown, unknown_ca, access_denied and
        // certificate_required.
        case 41, 42, 43, 44, 45, 46, 48, 49, 116: self = .credential
        case 40: self = .handshake
        default: self = .alert
        }
    }
}

/// Formats a duration in seconds.
func inSeconds(_ duration: Duration) -> String {
    let milliseconds = duration.wholeMilliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
}
