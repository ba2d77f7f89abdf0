public import TLS

/// The identity that pushes are sent with.
public enum APNsCredential: Sendable {
    /// Provider tokens, signed by a key.
    case tokens(ProviderTokens)
    /// A client certificate: TLS presents it, and requests carry no token.
    case certificate(ClientCertificate)

    /// What to check when it is rejected.
    public enum Kind: Equatable, Sendable {
        /// A key that signs provider tokens.
        case key
        /// A client certificate.
        case certificate
    }

    /// Whether this is a key or a certificate.
    public var kind: Kind {
        switch self {
        case .tokens: .key
        case .certificate: .certificate
        }
    }

    /// Identifies it in messages; contains no secret.
    public var message: String {
        switch self {
        case .tokens(let tokens): "key \(tokens.keyID) of team \(tokens.teamID)"
        case .certificate(let certificate): "certificate (\(certificate.description.subject))"
        }
    }

    /// The TLS context of this credential: sessions are only resumed within it.
    public func tls(trusting roots: TrustRoots) throws(TLSError) -> TLSContext {
        switch self {
        case .tokens: try TLSContext.client(trustRoots: roots)
        case .certificate(let certificate):
            try TLSContext.client(trustRoots: roots, certificate: certificate)
        }
    }

    /// The topics that a certificate is valid for, as UTF-8; empty when there is no restriction.
    var apnsTopics: [[UInt8]] {
        switch self {
        case .tokens: []
        case .certificate(let certificate):
            certificate.description.apnsTopics.map { [UInt8]($0.utf8) }
        }
    }
}
