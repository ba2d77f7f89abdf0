package import Delivery
internal import EventLoop

/// A push as an observer sees it.
package struct PushView: Sendable {
    /// Its ID.
    package let id: PushID
    /// The position of its event.
    package let origin: RecordOrigin
    /// Its index as written in the connector or event; 0 for a single notification.
    package let index: Int
    /// The number of attempts.
    package let attempts: Int
    /// The time after which it is not sent, in milliseconds since 1970.
    package let expiresAt: Int64?
    /// The status of the last response that was not final.
    package let lastStatus: Int?
    /// The reason of the last response that was not final.
    package let lastReason: String?
    /// Why mapping dropped it.
    package let drop: Drop?
    /// The verdict; nil before there is one.
    package let verdict: Verdict?
    /// The reason of the verdict.
    package let reason: String?
    /// True while APNs has it or it is queued.
    package let isToBeSent: Bool
}

extension Engine {
    /// A view of a push; nil when it is done.
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
            id: id, origin: pushes[push.record].stored.origin,
            index: Int(push.index), attempts: Int(push.attempts),
            expiresAt: push.expiresAt, lastStatus: details.lastStatus,
            lastReason: details.lastReason, drop: details.drop, verdict: report?.verdict,
            reason: details.reason, isToBeSent: report == nil)
    }

    /// Every push that is not done.
    package var views: [PushView] {
        pushes.slotRange.compactMap { view(of: pushes.id(of: $0)) }
    }
}
