internal import Delivery
internal import EventLoop

/// What is let go of, because whoever comes next reads it again.
extension WorkerCore {
    /// Lets go of what is not on its way: its offsets stay uncommitted, so that it is read again.
    /// With `assignment` nil, of everything.
    ///
    /// A record of which some notifications are sent and others are not is finished until then:
    /// whoever read it again would send the first ones twice. With `deadline` nil, none is.
    mutating func abandon(_ assignment: AssignmentID?, until deadline: UInt64? = nil) {
        if deadline != nil { spillParked(assignment) }
        for place in notifications.indices where isToBeLeft(place, assignment) {
            let record = notifications[place].record
            records[record].isKept = deadline != nil && records[record].hasBegun
        }
        for place in notifications.indices where isToBeLeft(place, assignment) {
            guard let deadline else { continue }
            let isParked = notifications[place].stage == .parked
            let isTooLate = isParked && notifications[place].resumesAt >= deadline
            let stage = notifications[place].stage
            let isAskedAgain = notifications[place].isAskedAgain && stage.isIdle
            guard isTooLate || isAskedAgain || stage == .guarded else { continue }
            records[notifications[place].record].isKept = false
        }
        for place in notifications.indices where isToBeLeft(place, assignment) {
            guard notifications[place].stage.isIdle, !records[notifications[place].record].isKept
            else { continue }
            abandon(notification: place)
        }
        for place in notifications.indices where isToBeLeft(place, assignment) { endRow(place) }
        forgetGuarded()
    }

    private func isToBeLeft(_ place: Int, _ assignment: AssignmentID?) -> Bool {
        notifications[place].stage != .free
            && (assignment == nil || notifications[place].assignment == assignment)
            && !canOnlyBeFinishedHere(place)
    }

    /// True when nobody can read its record again, because the log is gone.
    private func canOnlyBeFinishedHere(_ place: Int) -> Bool {
        guard let index = partitions.index(of: notifications[place].assignment) else {
            return false
        }
        return partitions[index].state == .replaced
    }

    /// What waits and can only be finished here is given up when its turn comes: see
    /// ``nextToSend()``. What the guard keeps is told, but to nobody who deletes device tokens.
    mutating func readyWhatCannotBeLeft() {
        for place in notifications.indices where notifications[place].stage == .guarded {
            notifications[place].owed.remove(.unregistered)
            tell(guarded: place)
        }
        for place in notifications.indices
        where notifications[place].stage == .parked && canOnlyBeFinishedHere(place) {
            makeReady(place)
        }
    }

    /// Lets go of one notification: its record is read again. So nothing more of that record is
    /// sent, nor what must come after it for the same device.
    mutating func abandon(notification place: Int) {
        var left = [place]
        var hasOthers = false
        while let place = left.popLast() {
            guard notifications[place].stage != .free else { continue }
            let record = notifications[place].record
            if let successor = notifications[place].successor { left.append(successor) }
            if let key = notifications[place].key { order.remove(key: key) }
            records[record].isAbandoned = true
            records[record].isKept = false
            let isLast = records[record].remaining == 1
            close(notification: place)
            guard !isLast else { continue }
            hasOthers = true
            for other in notifications.indices
            where notifications[other].record == record && notifications[other].stage.isIdle {
                left.append(other)
            }
        }
        guard hasOthers else { return }
        for place in notifications.indices where notifications[place].stage != .free {
            forgetLeftSuccessor(of: place)
        }
    }

    /// Its row goes on with what is kept, and takes nothing more.
    private mutating func endRow(_ place: Int) {
        guard let key = notifications[place].key else { return }
        order.remove(key: key)
        forgetLeftSuccessor(of: place)
    }

    private mutating func forgetLeftSuccessor(of place: Int) {
        guard let successor = notifications[place].successor,
            notifications[successor].stage == .free
        else { return }
        notifications[place].successor = nil
    }

    /// True when a notification may be sent, after so many nanoseconds. False when it is left to
    /// the next owner of its partition, or to the next start.
    func mayGoOn(_ place: Int, after delay: UInt64 = 0) -> Bool {
        guard let index = partitions.index(of: notifications[place].assignment) else {
            return false
        }
        switch partitions[index].state {
        case .owned where !isDraining: return true
        case .owned: return isKept(place) && now + delay < drainDeadline
        case .revoking(let deadline): return isKept(place) && now + delay < deadline
        case .committing: return false
        case .replaced: return true
        }
    }

    private func isKept(_ place: Int) -> Bool {
        let record = notifications[place].record
        return !isClosing && records[record].isKept && records[record].hasBegun
    }
}
