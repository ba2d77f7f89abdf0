internal import Configuration
internal import Delivery
internal import EventLoop

/// Pushes that wait or are sent again do not go out over newer ones with the same collapse ID.
extension Engine {
    /// The newer push with the same app, bundle identifier, push type, device token and collapse ID
    /// that a push must not replace; nil when there is none, or none is known.
    ///
    /// A first attempt does not ask: it is sent in the order of its app's queue. Nor does what
    /// nothing replaces: a call, and the start and the end of a Live Activity.
    mutating func newerPush(than id: PushID) -> SentPushes.Newer? {
        guard settings.supersede != .none, pushes.hasDetails(id),
            let key = pushes.collapseKey(id),
            let newer = sentPushes.newer(than: age(of: id), key), isReplaceable(id)
        else { return nil }
        return newer
    }

    /// A push whose first attempt is put off is asked like one that was sent before.
    mutating func leaveOrder(_ id: PushID) {
        guard settings.supersede != .none else { return }
        pushes.change(id) { $0.hasLeftOrder = true }
    }

    /// Ends a push over which a newer one arrived, or holds it until the newer one's request ends.
    mutating func yield(_ id: PushID, to newer: SentPushes.Newer) {
        switch newer {
        case .arrived(let other):
            guard !pushes.isInDoubt(id) else { return reportDoubt(id) }
            pushes.change(id) { $0.supersede(by: other) }
            finish(id, dropped: .superseded)
        case .inFlight(let key): sentPushes.hold(id, behind: key)
        }
    }

    /// A push is sent: older ones with its key are held.
    mutating func noteFlight(_ id: PushID) {
        guard sentPushes.isUsed, let key = pushes.collapseKey(id) else { return }
        sentPushes.sent(key, age: age(of: id))
    }

    /// The request of a push has ended: those that were held behind it are examined again.
    mutating func endFlight(_ id: PushID) {
        guard sentPushes.isUsed, let key = pushes.collapseKey(id) else { return }
        for other in sentPushes.ended(key)
        where pushes.isCurrent(other) && pushes[other].state.kind == .queued {
            sending.queue(other, of: pushes[other].app, in: .again)
        }
    }

    /// A push arrived, or may have: older ones are not sent over it.
    mutating func noteArrival(_ id: PushID) {
        guard sentPushes.isUsed, let key = pushes.collapseKey(id) else { return }
        sentPushes.arrived(key, age: age(of: id), pushes[id].id)
        guard sentPushes.isFull else { return }
        let keys = openCollapseKeys()
        sentPushes.forgetOlder(but: keys)
    }

    /// The keys of pushes that are not done.
    private mutating func openCollapseKeys() -> [UInt64] {
        var keys: [UInt64] = []
        for slot in pushes.slotRange {
            let id = pushes.id(of: slot)
            guard pushes.isCurrent(id) else { continue }
            if let key = pushes.collapseKey(id) { keys.append(key) }
        }
        return keys
    }
}
