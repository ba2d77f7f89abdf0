/// Why a TLS connection, key or certificate could not be used.
public struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name, as logs and metrics carry it.
        public let rawValue: String

        /// Names a kind of failure.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name itself.
        public var description: String { rawValue }

        /// The peer's certificate chain does not end in a trusted root, or is not valid now.
        public static let untrustedPeer = Code(rawValue: "untrusted_peer")
        /// The peer's certificate is for another host.
        public static let hostNameMismatch = Code(rawValue: "host_name_mismatch")
        /// The two sides share no application protocol.
        public static let noCommonProtocol = Code(rawValue: "no_common_protocol")
        /// The two sides share no TLS version or cipher.
        public static let noCommonVersion = Code(rawValue: "no_common_version")
        /// The peer ended the handshake or the connection with an alert.
        public static let refusedByPeer = Code(rawValue: "refused_by_peer")
        /// The peer's bytes are not TLS, or break its rules.
        public static let protocolViolation = Code(rawValue: "protocol_violation")
        /// Something was asked of a session that it cannot do now.
        public static let notReady = Code(rawValue: "not_ready")
        /// A key cannot be read or is not of the kind that is needed.
        public static let badKey = Code(rawValue: "bad_key")
        /// A certificate cannot be read or does not fit its key.
        public static let badCertificate = Code(rawValue: "bad_certificate")
        /// A pass phrase is missing or wrong.
        public static let badPassphrase = Code(rawValue: "bad_passphrase")
        /// The trusted roots cannot be read.
        public static let badTrustRoots = Code(rawValue: "bad_trust_roots")
        /// A host name is not one.
        public static let badHostName = Code(rawValue: "bad_host_name")
        /// OpenSSL failed by itself.
        public static let library = Code(rawValue: "library")
    }

    /// What kind of failure it is.
    public var code: Code
    /// What failed, in the user's words.
    public var detail: String
    /// OpenSSL's own words, empty when it said nothing.
    public var cause: String

    /// Describes a failure.
    public init(_ code: Code, _ detail: String, cause: String = "") {
        self.code = code
        self.detail = detail
        self.cause = cause
    }

    /// Both texts in one line.
    public var description: String { cause.isEmpty ? detail : "\(detail) (OpenSSL: \(cause))" }
}
