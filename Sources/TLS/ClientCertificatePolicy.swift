/// Whether a server requires client certificates.
public enum ClientCertificatePolicy: Equatable, Sendable {
    /// Does not ask for a certificate.
    case notAsked
    /// Asks for a certificate: it is optional, but must be signed by these roots.
    case asked(TrustRoots)
    /// Requires a certificate signed by these roots.
    case demanded(TrustRoots)

    /// The roots that client certificates must be signed by.
    var roots: TrustRoots? {
        switch self {
        case .notAsked: nil
        case .asked(let roots), .demanded(let roots): roots
        }
    }
}
