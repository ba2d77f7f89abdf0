/// Why a new credential is not used.
public enum RenewalRefusal: Equatable, Sendable {
    /// APNs refused a request that was sent with it.
    case response(status: Int, reason: String)
    /// APNs closed a connection because of it.
    case goAway(reason: String)
    /// It is a certificate that is not for a push which the one before is for.
    case notInCertificate

    /// One word that names it: Apple's reason, or the status where there is none.
    public var reason: String {
        switch self {
        case .response(let status, let reason): reason.isEmpty ? String(status) : reason
        case .goAway(let reason): reason
        case .notInCertificate: "bundle_id_not_in_certificate"
        }
    }

    /// What it means to whoever pushes with that kind of credential, and what to look at.
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
