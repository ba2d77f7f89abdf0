internal import APNs
internal import Delivery

/// Pushes that are refused where others are accepted: what the engine knows of them.
extension Engine {
    /// True when a push alone explains that it was refused: it names a topic other than its app's
    /// own, for which APNs accepts the credential, or it has suspended sending before, each time
    /// with another push of its kind accepted since.
    func isItselfAtFault(_ id: PushID, _ row: ReasonRow) -> Bool {
        let app = pushes[id].app
        if row.scope == .app, !pushes[id].isForOwnTopic, sending.isOwnTopicProven(app) {
            return true
        }
        return pushes[details: id].suspensions >= Sending.maxSuspensions
            && sending.isAloneRefused(id, of: app)
    }

    /// APNs has accepted a push with the credential in use.
    mutating func noteProof(by id: PushID) {
        let app = pushes[id].app
        if !sending.isOwnTopicProven(app), pushes[id].isForOwnTopic { sending.ownTopicProven(app) }
        guard sending.hasSuspects(app) else { return }
        sending.accepted(id, kind: pushes.kindHash(of: id), of: app)
    }

    /// A push has just suspended sending. It counts again only if another push of its kind was
    /// accepted since the last time: otherwise the fault may be the credential's.
    mutating func noteSuspension(by id: PushID) {
        let kind = pushes.kindHash(of: id)
        switch sending.suspect(id, kind: kind, of: pushes[id].app, pushes) {
        case .first: pushes.change(id) { $0.suspensions = max(1, $0.suspensions) }
        case .again: pushes.change(id) { $0.suspensions += 1 }
        case .unknown: break
        }
    }
}

extension Push {
    /// True for a push to the topic that is the app's bundle identifier, and for a broadcast with
    /// it, which has a queue of its own.
    var isForOwnTopic: Bool {
        content.bundleCount == 0 && (pushType == .alert || pushType == .background || isBroadcast)
    }
}
