internal import TLS

/// When a credential was issued, or expires.
public struct CredentialDates: Equatable, Sendable {
    /// The `iat` of the provider token in use, in seconds since 1970; nil before the first push,
    /// and for a certificate.
    public var tokenIssuedAt: Int64?
    /// When the certificate expires, in seconds since 1970; nil for a key.
    public var certificateExpiresAt: Int64?

    /// Describes a credential.
    public init(tokenIssuedAt: Int64? = nil, certificateExpiresAt: Int64? = nil) {
        self.tokenIssuedAt = tokenIssuedAt
        self.certificateExpiresAt = certificateExpiresAt
    }
}

extension APNsCredential {
    /// When it was issued, or expires.
    public var dates: CredentialDates {
        switch self {
        case .tokens(let tokens): CredentialDates(tokenIssuedAt: tokens.issuedAt)
        case .certificate(let certificate):
            CredentialDates(certificateExpiresAt: certificate.description.notAfter)
        }
    }
}
