internal import Delivery
internal import Encoding

extension PushDetails {
    /// The `detail` of an outcome: what exactly led to a drop, and which labels have no value; nil
    /// when there is nothing to say.
    func detail(of push: Push, _ report: Push.Report) -> String? {
        let words = report.verdict == .dropped ? drop?.detail ?? dropWords(push) : nil
        guard let words, let labelFault else { return words ?? labelFault }
        return "\(words); \(labelFault)"
    }

    /// What led to a drop that the engine decided.
    private func dropWords(_ push: Push) -> String? {
        switch reason.flatMap(DropReason.init) {
        case .expired: push.expiresAt.map { "it expired at \(Timestamp.text(milliseconds: $0))" }
        case .unreachable: "APNs never responded before the push was given up"
        case .notInCertificate:
            "the client certificate is not for this app, or not for this type of push to it"
        case .unsendable: unsendable
        case .superseded: supersededBy.map { "a newer push replaced it: apns_id \($0)" }
        default: nil
        }
    }
}
