internal import Configuration
internal import Delivery
internal import EventLoop

/// Pushes that wait or are sent again do not go out over newer ones with the same collapse ID.
extension Engine {
    /// What a newer push means for an older one.
    enum NewerPush: Equatable, Sendable {
        /// It arrived, or may have.
        case arrived(NotificationID)
        /// It is in flight under this key.
        case inFlight(UInt64)
    }

    /// The newer push with the same app, bundle identifier, push type, device token and collapse ID
    /// that a push must not replace; nil when there is none, or none is known.
    ///
    /// A first attempt does not ask: it is sent in the order of its app's queue.
    mutating func newerPush(than id: PushID) -> NewerPush? {
        guard settings.supersede == .retries, pushes.hasDetails(id), let key = collapseKey(id)
        else { return nil }
        let birth = pushes[id].birth
        if let newest = sentMemory.newest(key), newest.birth > birth {
            return .arrived(newest.id)
        }
        if let newest = flights.newest(key), newest > birth { return .inFlight(key) }
        return nil
    }

    /// A push whose first attempt is put off is asked like one that was sent before.
    mutating func leaveOrder(_ id: PushID) {
        guard settings.supersede == .retries, !pushes.hasDetails(id) else { return }
        pushes.change(id) { _ in }
    }

    /// Ends a push over which a newer one arrived, or holds it until the newer one's request ends.
    mutating func yield(_ id: PushID, to newer: NewerPush) {
        switch newer {
        case .arrived(let other):
            guard !pushes.isInDoubt(id) else { return reportDoubt(id) }
            pushes.change(id) { $0.supersededBy = other }
            finish(id, dropped: .superseded)
        case .inFlight(let key): heldBehindNewer[key, default: []].append(id)
        }
    }

    /// A push is sent: older ones with its key are held.
    mutating func noteFlight(_ id: PushID) {
        guard remembersSent, let key = collapseKey(id) else { return }
        flights.add(key, birth: pushes[id].birth)
    }

    /// The request of a push has ended: those that were held behind it are examined again.
    mutating func endFlight(_ id: PushID) {
        guard remembersSent, let key = collapseKey(id) else { return }
        flights.remove(key)
        guard !heldBehindNewer.isEmpty, let held = heldBehindNewer.removeValue(forKey: key) else {
            return
        }
        for other in held where pushes.isCurrent(other) && pushes[other].state.kind == .queued {
            queues[pushes[other].app].pushes.append(other, to: .again)
            headsChanged = true
        }
    }

    /// A push arrived, or may have: older ones are not sent over it.
    mutating func noteArrival(_ id: PushID) {
        guard remembersSent, let key = collapseKey(id) else { return }
        sentMemory.arrived(key, birth: pushes[id].birth, pushes[id].id)
        guard sentMemory.isFull else { return }
        sentMemory.forgetOlder(but: openCollapseKeys())
    }

    /// The keys of pushes that are not done.
    private mutating func openCollapseKeys() -> [UInt64] {
        var keys: [UInt64] = []
        for slot in pushes.slotRange {
            let id = pushes.id(of: slot)
            guard pushes.isCurrent(id) else { continue }
            if let key = collapseKey(id) { keys.append(key) }
        }
        return keys
    }
}
