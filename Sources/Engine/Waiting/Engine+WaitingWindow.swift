internal import Delivery
internal import EventLoop

/// Records that wait for time to pass are moved out of the window, so that other records continue.
extension Engine {
    /// Marks a push as waiting. Once only waiting pushes of its record are left, the record leaves
    /// the window if there is room outside.
    mutating func countAsWaiting(_ id: PushID) {
        let record = pushes[id].record
        if !pushes[id].waitsOutsideWindow {
            pushes[id].waitsOutsideWindow = true
            pushes.records[record.slot].waiting += 1
        }
        moveOutsideWindow(record, id)
    }

    /// The successors of a push wait with it.
    mutating func countSuccessorsAsWaiting(of id: PushID) {
        var next = sending.successor(of: id)
        while let follower = next, pushes.isCurrent(follower),
            !pushes[follower].waitsOutsideWindow
        {
            countAsWaiting(follower)
            next = sending.successor(of: follower)
        }
    }

    /// True when a push that is added after this one waits, too.
    func waitsWithItsSuccessors(_ id: PushID) -> Bool {
        switch pushes[id].state {
        case .waiting: true
        case .blocked: pushes[id].waitsOutsideWindow
        case .queued, .inFlight, .withheld, .reporting, .done: false
        }
    }

    /// Moves a record out of the window when all its remaining pushes wait; it then stays outside
    /// until it is done. Without room it goes to the retry topic, if there is one; otherwise its
    /// partition is paused. `id` is one of its pushes.
    mutating func moveOutsideWindow(_ record: RecordID, _ id: PushID? = nil) {
        let slot = record.slot
        guard !pushes.records[slot].isOutsideWindow, !pushes.records[slot].isAbandoned,
            pushes.records[slot].waiting == pushes.records[slot].remaining
        else { return }
        guard intake.moveOutsideWindow(bytes: pushes.records[slot].byteCount) else {
            if moveToRetryTopic(record, id) { return }
            return intake.pauseWithoutRoomToWait(pushes.records[slot].assignment)
        }
        pushes.records[slot].isOutsideWindow = true
    }
}
