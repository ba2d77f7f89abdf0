/// Why a new credential is not used.
public enum RenewalRefusal: Equatable, Sendable {
    /// APNs rejected a request sent with it.
    case response(status: Int, reason: String)
    /// APNs closed a connection because of it.
    case goAway(reason: String)
    /// It is a certificate that does not cover a push that the current one covers.
    case notInCertificate

    /// Apple's reason in one word, or the status if there is none.
    public var reason: String {
        switch self {
        case .response(let status, let reason): reason.isEmpty ? String(status) : reason
        case .goAway(let reason): reason
        case .notInCertificate: "bundle_id_not_in_certificate"
        }
    }

    /// What it means when pushing with that kind of credential, and what to check.
    public func meaning(for kind: APNsCredential.Kind) -> String {
        switch self {
        case .response(let status, let reason):
            ReasonTable.row(status: status, reason: reason).meaning(for: kind)
        case .goAway(let reason):
            ReasonTable.goAwayMeaning(reason, for: kind)
        case .notInCertificate:
            "The new certificate does not cover every app and push type of the old one."
        }
    }
}

extension ReasonTable {
    fileprivate static func goAwayMeaning(
        _ reason: String, for kind: APNsCredential.Kind
    ) -> String {
        (rows(named: reason).first ?? row(status: 403, reason: reason)).meaning(for: kind)
    }
}
