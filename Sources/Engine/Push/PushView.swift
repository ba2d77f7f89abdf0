package import Delivery

/// A push as an observer sees it.
package struct PushView: Sendable {
    /// Names the push.
    package let id: PushID
    /// The place of block and token in the connector or event; 0 for a single notification.
    package let index: Int
    /// How often it was sent.
    package let attempts: Int
    /// After this moment, in milliseconds since 1970, it is not sent any more.
    package let expiresAt: Int64?
    /// The status of the last response that decided nothing.
    package let lastStatus: Int?
    /// The reason of the last response that decided nothing.
    package let lastReason: String?
    /// Why mapping does not let it be sent.
    package let drop: Drop?
    /// What was decided; nil while nothing was.
    package let verdict: Verdict?
    /// The reason of the verdict.
    package let reason: String?
    /// True while it is handed to APNs or waits for it.
    package let isToBeSent: Bool
}

extension Engine {
    /// A push as it stands; nil when it is done.
    package func view(of id: PushID) -> PushView? {
        guard pushes.isCurrent(id) else { return nil }
        let push = pushes[id]
        let details = pushes[details: id]
        var report: Push.Report?
        switch push.state {
        case .reporting(let known), .withheld(let known): report = known
        default: break
        }
        return PushView(
            id: id, index: Int(push.index), attempts: Int(push.attempts),
            expiresAt: push.expiresAt, lastStatus: details.lastStatus,
            lastReason: details.lastReason, drop: details.drop, verdict: report?.verdict,
            reason: details.reason, isToBeSent: report == nil)
    }

    /// Every push that is not done.
    package var views: [PushView] {
        pushes.slotRange.compactMap { view(of: pushes.id(of: $0)) }
    }
}
