internal import Delivery
internal import EventLoop

/// Abandoning pushes whose records another reader will read again.
extension Engine {
    /// Abandons what is neither in flight nor reported: its offsets stay uncommitted, so that it is
    /// read again. With `assignment` nil, of all partitions.
    ///
    /// A record some of whose pushes were sent is finished until the deadline: reading it again
    /// would repeat those. With `deadline` nil, none is finished.
    mutating func abandonIdle(_ assignment: AssignmentID?, until deadline: Instant? = nil) {
        if deadline != nil { moveWaitingToRetryTopic(of: assignment) }
        for record in pushes.recordSlots.lazy.map(RecordID.init)
        where isToBeAbandoned(record, assignment) {
            let isFinished =
                deadline.map { pushes[record].hasBegun && canFinish(record, by: $0) } ?? false
            pushes.finishHere(record, isFinished)
        }
        waiting.beginAbandoning(assignment)
        abandonMore()
    }

    /// Abandons the next pushes of drains and revocations, as many as this turn may. Until then a
    /// push that is to be abandoned is not sent: see ``mayContinue(_:after:)``.
    mutating func abandonMore() {
        while let current = waiting.abandonment {
            for slot in current.nextSlot..<pushes.recordSlots.upperBound {
                let record = RecordID(slot)
                guard isToBeAbandoned(record, current.assignment), !pushes[record].isFinishedHere,
                    hasIdlePush(record)
                else { continue }
                guard waiting.mayAbandon else { return waiting.continueAbandoning(at: slot) }
                abandon([record])
            }
            waiting.endAbandoning()
            sending.forgetWithheld(pushes)
        }
    }

    private func isToBeAbandoned(_ record: RecordID, _ assignment: AssignmentID?) -> Bool {
        pushes.isTaken(record)
            && (assignment == nil || pushes[record].assignment == assignment)
            && !intake.isReplaced(pushes[record].assignment)
    }

    /// False when one of its pushes waits too long, or for the guard.
    private func canFinish(_ record: RecordID, by deadline: Instant) -> Bool {
        for index in 0..<pushes[record].count {
            guard let id = pushes.openPush(index, of: record) else { continue }
            switch pushes[id].state {
            case .waiting(let until) where until >= deadline: return false
            case .withheld: return false
            case let state where state.isIdle && pushes[details: id].isRepeatedProbe:
                return false
            case .new, .blocked, .queued, .inFlight, .waiting, .reporting, .done: continue
            }
        }
        return true
    }

    private func hasIdlePush(_ record: RecordID) -> Bool {
        (0..<pushes[record].count).contains { index in
            pushes.openPush(index, of: record).map { pushes[$0].state.isIdle } ?? false
        }
    }

    /// The connections are closed: waiting pushes that cannot be read again are given up. Withheld
    /// verdicts are reported, but without an unregistered record.
    mutating func endWhatCannotBeLeft() {
        for slot in pushes.slotRange {
            let id = pushes.id(of: slot)
            switch pushes[slot].state {
            case .withheld(var report):
                report.owed.remove(.unregistered)
                owe(id, report)
            case .waiting, .queued: endUndelivered(id)
            case .new, .blocked, .inFlight, .reporting, .done: continue
            }
        }
    }

    /// Abandons one push, whatever its state, and the idle pushes of its record.
    mutating func abandon(_ id: PushID) {
        let record = pushes[id].record
        let wasAbandoned = pushes[record].isAbandoned
        pushes.abandon(record)
        var others: [RecordID] = []
        let isDone = closeAbandoned(id, noting: &others)
        // A record that was already abandoned has no idle pushes.
        abandon(isDone || wasAbandoned ? others : [record] + others)
    }

    /// Abandons the idle pushes of records, and their successors. Each record is visited once.
    private mutating func abandon(_ records: [RecordID]) {
        var left = records
        while let record = left.popLast() {
            pushes.abandon(record)
            for index in 0..<pushes[record].count {
                guard let id = pushes.openPush(index, of: record), pushes[id].state.isIdle else {
                    continue
                }
                if closeAbandoned(id, noting: &left) { break }
            }
        }
    }

    /// True when the push was the last one of its record. Also determines the record of its
    /// successor.
    private mutating func closeAbandoned(
        _ id: PushID, noting left: inout [RecordID]
    ) -> Bool {
        let record = pushes[id].record
        sending.noteAbandoned()
        waiting.noteAbandoned()
        if let successor = sending.removeFromOrder(id), pushes.isCurrent(successor),
            pushes[successor].state.isIdle {
            let other = pushes[successor].record
            if other != record, !pushes[other].isAbandoned {
                pushes.abandon(other)
                left.append(other)
            }
        }
        return close(id)
    }

    /// True when a push may be sent after a delay; false when it is left to the next owner of its
    /// partition, or to the next start.
    mutating func mayContinue(_ id: PushID, after delay: Duration = .zero) -> Bool {
        intake.mayContinue(
            pushes.assignment(of: id), at: now + delay, isFinishedHere: isFinishedHere(id))
    }

    /// True when the partition of a push was lost, or its last commit has begun: the next owner
    /// reads the push again if it is not done.
    mutating func isLeftToNextOwner(_ id: PushID) -> Bool {
        intake.isLeftToNextOwner(pushes.assignment(of: id))
    }

    mutating func isFinishedHere(_ id: PushID) -> Bool {
        intake.phase != .closed && pushes[recordOf: id].isFinishedHere
            && pushes[recordOf: id].hasBegun
    }
}
