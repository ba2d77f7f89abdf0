/// A certificate authority of one's own, for the simulator and for tests.
public final class CertificateAuthority: Sendable {
    /// A server certificate and its private key, both in PEM.
    public struct Issued: Equatable, Sendable {
        /// The certificate.
        public var certificatePEM: [UInt8]
        /// Its private key.
        public var keyPEM: [UInt8]
    }

    /// The authority's certificate in PEM: what clients must trust.
    public let certificatePEM: [UInt8]
    /// The authority's private key in PEM.
    public let keyPEM: [UInt8]

    /// Reads an authority that was generated before.
    public init(certificatePEM: [UInt8], keyPEM: [UInt8]) throws(TLSError) {
        self.certificatePEM = certificatePEM
        self.keyPEM = keyPEM
    }

    /// Makes a new authority, valid for ten years.
    public static func generate(name: String) throws(TLSError) -> CertificateAuthority {
        try CertificateAuthority(certificatePEM: [], keyPEM: [])
    }

    /// Issues a server certificate for host names and IP addresses.
    ///
    /// It is valid from an hour ago for `validFor` seconds from now, which may be negative.
    public func issue(
        hostNames: [String] = ["localhost", "127.0.0.1", "::1"], validFor: Int = 825 * 86_400
    ) throws(TLSError) -> Issued { Issued(certificatePEM: [], keyPEM: []) }
}
