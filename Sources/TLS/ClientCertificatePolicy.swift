/// What a server wants to know of its clients.
public enum ClientCertificatePolicy: Equatable, Sendable {
    /// It does not ask for a certificate.
    case notAsked
    /// It asks: a client may have none, but one that it has must come from these roots.
    case asked(TrustRoots)
    /// It takes only clients with a certificate that comes from these roots.
    case demanded(TrustRoots)

    /// The roots that vouch for clients.
    var roots: TrustRoots? {
        switch self {
        case .notAsked: nil
        case .asked(let roots), .demanded(let roots): roots
        }
    }
}
