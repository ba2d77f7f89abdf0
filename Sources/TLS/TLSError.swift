/// Why a TLS connection, key or certificate could not be used.
public struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The stable identifier of a kind of failure.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The identifier as it appears in logs and metrics.
        public let rawValue: String

        /// Creates an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The identifier itself.
        public var description: String { rawValue }

        /// The peer's certificate chain does not end in a trusted root, or is not valid now.
        public static let untrustedPeer = Code(rawValue: "untrusted_peer")
        /// The peer's certificate is for another host.
        public static let hostNameMismatch = Code(rawValue: "host_name_mismatch")
        /// The two sides share no application protocol.
        public static let noCommonProtocol = Code(rawValue: "no_common_protocol")
        /// The two sides share no TLS version or cipher.
        public static let noCommonVersion = Code(rawValue: "no_common_version")
        /// The peer sent an alert that ended the handshake or the connection.
        public static let refusedByPeer = Code(rawValue: "refused_by_peer")
        /// The peer's bytes are not TLS, or violate its rules.
        public static let protocolViolation = Code(rawValue: "protocol_violation")
        /// The session cannot do this in its current state.
        public static let notReady = Code(rawValue: "not_ready")
        /// A key cannot be read or is of the wrong kind.
        public static let badKey = Code(rawValue: "bad_key")
        /// A certificate cannot be read or does not match its key.
        public static let badCertificate = Code(rawValue: "bad_certificate")
        /// A passphrase is missing or wrong.
        public static let badPassphrase = Code(rawValue: "bad_passphrase")
        /// The trusted roots cannot be read.
        public static let badTrustRoots = Code(rawValue: "bad_trust_roots")
        /// A host name is not valid.
        public static let badHostName = Code(rawValue: "bad_host_name")
        /// The process lacks memory or descriptors.
        public static let resources = Code(rawValue: "resources")
        /// OpenSSL itself failed.
        public static let library = Code(rawValue: "library")
    }

    /// The kind of failure.
    public var code: Code
    /// What failed, for display.
    public var detail: String
    /// OpenSSL's own message; empty when there is none.
    public var cause: String
    /// The number of the alert that the peer sent, as in RFC 8446; nil when it sent none.
    public var alert: UInt8?

    /// Creates an error.
    public init(_ code: Code, _ detail: String, cause: String = "", alert: UInt8? = nil) {
        self.code = code
        self.detail = detail
        self.cause = cause
        self.alert = alert
    }

    /// Both messages on one line.
    public var description: String { cause.isEmpty ? detail : "\(detail) (OpenSSL: \(cause))" }
}
