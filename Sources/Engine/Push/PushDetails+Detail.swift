internal import Delivery
internal import Encoding

extension PushDetails {
    /// The `detail` of an outcome: what exactly led to a drop, and which labels have no value; nil
    /// when there is nothing to say.
    ///
    /// That of an outcome has no times, counts or values, which have fields of their own: it can be
    /// grouped by. With `specifics`, it has those of a drop.
    func detail(of report: Push.Report, specifics: Bool = false) -> String? {
        let known = specifics ? drop?.detail : drop?.cause
        let message = report.verdict == .dropped ? known ?? dropMessage : nil
        guard let message, let labelFault else { return message ?? labelFault }
        return "\(message); \(labelFault)"
    }

    /// What led to a drop that the engine decided.
    private var dropMessage: String? {
        switch reason.flatMap(DropReason.init) {
        case .expired: "it expired before it could be sent"
        case .unreachable: "APNs never responded before the push was given up"
        case .notInCertificate:
            "the client certificate is not for this app, or not for this type of push to it"
        case .unsendable: unsendable
        case .superseded: "a newer push replaced it"
        default: nil
        }
    }
}
