internal import Delivery
internal import EventLoop

/// Records that wait for time to pass are moved out of the window, so that other records continue.
extension Engine {
    /// Marks a push as waiting. Once only waiting pushes of its record are left, the record leaves
    /// the window if there is room outside.
    mutating func countAsWaiting(_ id: PushID) {
        pushes.countAsWaiting(id)
        moveOutsideWindow(pushes[id].record, id)
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
    mutating func waitsWithItsSuccessors(_ id: PushID) -> Bool {
        switch pushes[id].state {
        case .waiting: true
        case .blocked: pushes[id].waitsOutsideWindow
        case .new, .queued, .inFlight, .withheld, .reporting, .done: false
        }
    }

    /// Moves a record out of the window when all its remaining pushes wait; it then stays outside
    /// until it is done. Without room it goes to the retry topic, if there is one; otherwise its
    /// partition is paused. `id` is one of its pushes.
    mutating func moveOutsideWindow(_ record: RecordID, _ id: PushID? = nil) {
        guard pushes.mayLeaveWindow(record) else { return }
        guard intake.moveOutsideWindow(bytes: pushes[record].byteCount) else {
            if moveToRetryTopic(record, id) { return }
            return intake.pauseWithoutRoomToWait(pushes[record].assignment)
        }
        pushes.leftWindow(record)
    }
}
