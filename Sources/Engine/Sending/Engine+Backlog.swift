internal import Configuration
internal import Delivery
internal import EventLoop

/// Buffered pushes are superseded by newer ones with the same app, device and collapse ID:
/// `delivery.supersede: backlog`. What is in flight, in doubt, withheld by the guard or read from
/// the retry or replay topic takes no part.
extension Engine {
    /// What a push is to those buffered with it.
    private enum Role {
        /// Nothing: it neither is superseded nor supersedes another.
        case none
        /// It is superseded by newer ones with its key, and supersedes older ones.
        case state(UInt64, PushAge)
        /// It ends a Live Activity: updates after it do not replace those before it.
        case end(UInt64)
    }

    /// A push that is new is compared with a buffered one with its key. True when it is dropped, or
    /// has taken the place of the other; else it goes to the end of its app's queue.
    mutating func joinBacklog(_ id: PushID, orderedBy order: UInt64?) -> Bool {
        let role = pushes[recordOf: id].isFirst ? .none : role(of: id)
        guard case .state(let key, let age) = role else {
            if case .end(let key) = role {
                backlog.end(key, by: id, sequence: pushes[id].sequence, pushes)
            }
            return false
        }
        guard let other = buffered(key, like: id) else {
            backlog.add(id, key, pushes)
            return false
        }
        guard self.age(of: other) < age else {
            supersede(id, by: other)
            return true
        }
        guard sending.orderingKey(of: other) == order, pushes[details: other].suspensions == 0
        else {
            supersede(other, by: id)
            backlog.add(id, key, pushes)
            return false
        }
        replace(other, with: id)
        return true
    }

    /// True when a push that was in flight, and would be sent again, is dropped because a newer one
    /// is buffered by now.
    mutating func giveWay(_ id: PushID) -> Bool {
        guard backlog.isUsed, pushes[id].state.kind == .inFlight, mayGiveWay(id),
            case .state(let key, let age) = role(of: id),
            !backlog.hasEnd(key, after: pushes[id].sequence)
        else { return false }
        let other = buffered(key, like: id)
        if let other, age < self.age(of: other) {
            supersede(id, by: other)
            return true
        }
        if let other { supersede(other, by: id) }
        backlog.add(id, key, pushes)
        return false
    }

    /// Drops a push for a newer one.
    private mutating func supersede(_ id: PushID, by newer: PushID) {
        let name = pushes[newer].id
        pushes.change(id) { $0.supersede(by: name) }
        if pushes[id].state.kind == .blocked { sending.takeOutOfOrder(id) }
        finish(id, dropped: .superseded)
    }

    /// Puts a new push in the place of an older one, in its app's queue and under its ordering key:
    /// a device whose state changes faster than its pushes are sent still gets some of them.
    ///
    /// They exchange slots: whatever refers to the older one now refers to the newer one.
    private mutating func replace(_ older: PushID, with new: PushID) {
        pushes.exchange(older, new)
        let (older, new) = (new, older)
        let hasLeftQueue = wasHeld(new, as: older)
        let wasOutside = pushes[older].waitsOutsideWindow
        supersede(older, by: new)
        switch pushes[new].state.kind {
        case .waiting: apply(.queued(.new), to: new)
        case .queued:
            if hasLeftQueue { sending.queue(new, of: pushes[new].app, in: .new) }
            countAsWaitingIfStalled(new)
        default: if wasOutside { countAsWaiting(new) }
        }
    }

    /// True when a slot is queued and in no queue: the push that was in it waited behind a request,
    /// which it does no more, or for the clock.
    private mutating func wasHeld(_ id: PushID, as older: PushID) -> Bool {
        let isReleased =
            pushes.collapseKey(older).map { sentPushes.release(id, behind: $0) } ?? false
        return isReleased
            || pushes[details: older].hasLeftOrder && sending.isHeldForClock(id)
    }

    // MARK: Which pushes these are

    /// The push with a key that is buffered, has the same target as another and may be superseded.
    private mutating func buffered(_ key: UInt64, like id: PushID) -> PushID? {
        guard let other = backlog[key], other != id, pushes.isCurrent(other) else { return nil }
        switch pushes[other].state.kind {
        case .blocked, .queued, .waiting: break
        case .new, .inFlight, .withheld, .reporting, .done: return nil
        }
        // What has expired replaces nothing. Two hashes may be equal, and an event may be made so
        // that they are.
        return !pushes[other].isExpired(at: wallClock) && mayGiveWay(other)
            && pushes.haveSameTarget(other, id) ? other : nil
    }

    /// False for a push that may have arrived, has had a verdict, or is alone as the first of its
    /// partition.
    private mutating func mayGiveWay(_ id: PushID) -> Bool {
        !pushes.isInDoubt(id) && !pushes[details: id].isRepeatedProbe
            && !pushes[recordOf: id].isFirst
    }

    private mutating func role(of id: PushID) -> Role {
        guard !pushes[details: id].isFromRetryTopic, !pushes.isInDoubt(id),
            !pushes[id].isExpired(at: wallClock), !pushes[id].isBroadcast
        else { return .none }
        switch pushes[id].pushType {
        case .alert where pushes[id].content.collapseCount > 0:
            return .state(pushes.backlogKey(id), age(of: id))
        case .liveactivity:
            let content = activityContent(of: id)
            switch (content.event, content.timestamp) {
            case (.end, _): return .end(pushes.backlogKey(id))
            case (.update, let timestamp?):
                let age = PushAge(timestamp: timestamp, sequence: pushes[id].sequence)
                return .state(pushes.backlogKey(id), age)
            default: return .none
            }
        default: return .none
        }
    }

    /// How new a push is among those with its key.
    mutating func age(of id: PushID) -> PushAge {
        guard backlog.isUsed, pushes[id].pushType == .liveactivity else {
            return PushAge(sequence: pushes[id].sequence)
        }
        let sequence = pushes[id].sequence
        let taken = Int64(sequence >> 20) / 1000
        return PushAge(timestamp: activityContent(of: id).timestamp ?? taken, sequence: sequence)
    }

    /// False for the start and the end of a Live Activity: only an update is replaced by what is
    /// newer.
    mutating func isReplaceable(_ id: PushID) -> Bool {
        pushes[id].pushType != .liveactivity || activityContent(of: id).event == .update
    }
}
