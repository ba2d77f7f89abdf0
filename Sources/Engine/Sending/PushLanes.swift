/// The pushes that wait to be sent for one app, in four lanes: new ones, those that are sent
/// again, suspects, and those of a record that is sent alone.
///
/// Each lane is first in, first out. New pushes and those that are sent again take turns, so that
/// neither starve. A suspect has suspended sending: it goes after everything that was waiting when
/// sending resumed, or when nothing else waits. A record that is sent alone goes before all others.
struct PushLanes: Sendable {
    /// Where a push waits.
    enum Lane: Sendable {
        /// It was not sent before.
        case new
        /// It is sent again, or waited before it could be sent.
        case again
        /// It has suspended sending.
        case suspects
        /// Its record is sent alone.
        case alone
    }

    private var new: RingQueue
    private var again = RingQueue(capacity: 1)
    private var suspects = RingQueue(capacity: 1)
    private var alone = RingQueue(capacity: 1)
    private var isTurnOfNew = false
    /// How many other pushes go before the first suspect.
    private var beforeSuspects = Int.max

    init(capacity: Int) { new = RingQueue(capacity: capacity) }

    /// The number of entries, including those whose push is not queued any more.
    var count: Int { new.count + again.count + suspects.count + alone.count }

    /// The push to send next.
    var first: PushID? {
        switch lane {
        case .new: new.first
        case .again: again.first
        case .suspects: suspects.first
        case .alone: alone.first
        }
    }

    private var lane: Lane {
        if alone.count > 0 { return .alone }
        if suspects.count > 0, beforeSuspects <= 0 || new.count + again.count == 0 {
            return .suspects
        }
        if again.count == 0 { return .new }
        return new.count == 0 || !isTurnOfNew ? .again : .new
    }

    /// Adds a push to a lane, behind all others.
    mutating func append(_ id: PushID, to lane: Lane) {
        switch lane {
        case .new: new.append(id)
        case .again: again.append(id)
        case .suspects:
            if suspects.count == 0 { beforeSuspects = .max }
            suspects.append(id)
        case .alone: alone.append(id)
        }
    }

    /// Adds a push that goes before all new ones.
    mutating func prepend(_ id: PushID) { new.prepend(id) }

    /// Sending resumes: what waits now goes before the suspects.
    mutating func resume() { beforeSuspects = new.count + again.count }

    /// Sends a push before all others.
    mutating func bringForward(_ id: PushID) { alone.prepend(id) }

    /// Removes the push to send next.
    mutating func popFirst() {
        switch lane {
        case .new:
            new.popFirst()
            isTurnOfNew = false
        case .again:
            again.popFirst()
            isTurnOfNew = true
        case .suspects:
            suspects.popFirst()
            return
        case .alone:
            alone.popFirst()
            return
        }
        if beforeSuspects != .max { beforeSuspects -= 1 }
    }

    /// Removes every reference to a push that is not queued.
    mutating func keepQueued(of pushes: borrowing PushTable) {
        new.keep(.queued, of: pushes)
        again.keep(.queued, of: pushes)
        suspects.keep(.queued, of: pushes)
        alone.keep(.queued, of: pushes)
    }
}
