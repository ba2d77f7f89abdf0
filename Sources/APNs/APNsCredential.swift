public import TLS

/// As whom pushes are sent.
public enum APNsCredential: Sendable {
    /// With provider tokens, which a key signs.
    case tokens(ProviderTokens)
    /// With a client certificate: TLS proves it, and requests carry no token.
    case certificate(ClientCertificate)

    /// What has to be examined when it is refused.
    public enum Kind: Equatable, Sendable {
        /// A key that signs provider tokens.
        case key
        /// A client certificate.
        case certificate
    }

    /// Whether it is a key or a certificate.
    public var kind: Kind {
        switch self {
        case .tokens: .key
        case .certificate: .certificate
        }
    }

    /// What tells it from others in a line for people; no secret.
    public var words: String {
        switch self {
        case .tokens(let tokens): "key \(tokens.keyID) of team \(tokens.teamID)"
        case .certificate(let certificate): "certificate (\(certificate.description.subject))"
        }
    }

    /// The client side of TLS that goes with it: sessions are resumed within it and nowhere else.
    public func tls(trusting roots: TrustRoots) throws(TLSError) -> TLSContext {
        switch self {
        case .tokens: try TLSContext.client(trustRoots: roots)
        case .certificate(let certificate):
            try TLSContext.client(trustRoots: roots, certificate: certificate)
        }
    }

    /// What a certificate may push to, as UTF-8; empty where everything may be tried.
    var apnsTopics: [[UInt8]] {
        switch self {
        case .tokens: []
        case .certificate(let certificate):
            certificate.description.apnsTopics.map { [UInt8]($0.utf8) }
        }
    }
}
