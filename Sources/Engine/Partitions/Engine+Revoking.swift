internal import Delivery
internal import EventLoop

/// A drain or revocation whose records are being abandoned.
struct Abandonment: Sendable {
    /// The partition; nil for all.
    let assignment: AssignmentID?
    /// The slot of the record to examine next.
    var nextSlot = 0
}

/// Abandoning pushes whose records another reader will read again.
extension Engine {
    /// Abandons what is neither in flight nor reported: its offsets stay uncommitted, so that it is
    /// read again. With `assignment` nil, of all partitions.
    ///
    /// A record some of whose pushes were sent is finished until the deadline: reading it again
    /// would repeat those. With `deadline` nil, none is finished.
    mutating func abandonIdle(_ assignment: AssignmentID?, until deadline: Instant? = nil) {
        if deadline != nil { moveWaitingToRetryTopic(of: assignment) }
        for slot in records.slotRange where isToBeAbandoned(slot, assignment) {
            records[slot].isFinishedHere =
                deadline.map { records[slot].hasBegun && canFinish(RecordID(slot), by: $0) }
                ?? false
        }
        abandonments.append(Abandonment(assignment: assignment))
        abandonMore()
    }

    /// Abandons the next pushes of drains and revocations, as many as this turn may. Until then a
    /// push that is to be abandoned is not sent: see ``mayContinue(_:after:)``.
    mutating func abandonMore() {
        while let current = abandonments.first {
            for slot in current.nextSlot..<records.slotRange.upperBound
            where isToBeAbandoned(slot, current.assignment) && !records[slot].isFinishedHere
                && hasIdlePush(RecordID(slot)) {
                guard abandonsLeft > 0 else { return abandonments[0].nextSlot = slot }
                abandon(RecordID(slot))
            }
            abandonments.removeFirst()
            forgetWithheld()
        }
    }

    /// The most pushes that one turn abandons; a record is never split between turns.
    static var abandonsPerTurn: Int { 4096 }

    private func isToBeAbandoned(_ slot: Int, _ assignment: AssignmentID?) -> Bool {
        records.isTaken(slot)
            && (assignment == nil || records[slot].assignment == assignment)
            && !intake.isReplaced(records[slot].assignment)
    }

    /// False when one of its pushes waits too long, or for the guard.
    private func canFinish(_ record: RecordID, by deadline: Instant) -> Bool {
        for index in 0..<records[record.slot].count {
            guard let id = openPush(index, of: record) else { continue }
            switch pushes[id].state {
            case .waiting(let until) where until >= deadline: return false
            case .withheld: return false
            case let state where state.isIdle && pushes[details: id].isRepeatedProbe:
                return false
            default: continue
            }
        }
        return true
    }

    private func hasIdlePush(_ record: RecordID) -> Bool {
        (0..<records[record.slot].count).contains { index in
            openPush(index, of: record).map { pushes[$0].state.isIdle } ?? false
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
            default: continue
            }
        }
    }

    /// Abandons one push, whatever its state, and the idle pushes of its record.
    mutating func abandon(_ id: PushID) {
        let record = pushes[id].record
        let wasAbandoned = records[record.slot].isAbandoned
        records[record.slot].isAbandoned = true
        records[record.slot].isFinishedHere = false
        var others: [RecordID] = []
        let isDone = closeAbandoned(id, noting: &others)
        // A record that was already abandoned has no idle pushes.
        abandon(isDone || wasAbandoned ? others : [record] + others)
    }

    private mutating func abandon(_ record: RecordID) { abandon([record]) }

    /// Abandons the idle pushes of records, and their successors. Each record is visited once.
    private mutating func abandon(_ records: [RecordID]) {
        var left = records
        while let record = left.popLast() {
            self.records[record.slot].isAbandoned = true
            self.records[record.slot].isFinishedHere = false
            for index in 0..<self.records[record.slot].count {
                guard let id = openPush(index, of: record), pushes[id].state.isIdle else {
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
        queues.headsChanged = true
        abandonsLeft -= 1
        if let successor = orderingKeys.remove(id), pushes.isCurrent(successor),
            pushes[successor].state.isIdle {
            let other = pushes[successor].record
            if other != record, !records[other.slot].isAbandoned {
                records[other.slot].isAbandoned = true
                left.append(other)
            }
        }
        return close(id)
    }

    /// The push of a record at an index; nil when it is done.
    func openPush(_ index: Int, of record: RecordID) -> PushID? {
        guard let id = records[record.slot].push(at: index), pushes.isCurrent(id) else {
            return nil
        }
        return id
    }

    /// The assignment under which the record of a push was taken.
    func assignment(of id: PushID) -> AssignmentID { records[pushes[id].record.slot].assignment }

    /// True when a push may be sent after a delay; false when it is left to the next owner of its
    /// partition, or to the next start.
    func mayContinue(_ id: PushID, after delay: Duration = .zero) -> Bool {
        intake.mayContinue(
            assignment(of: id), at: now + delay, isFinishedHere: isFinishedHere(id))
    }

    /// True when the partition of a push was lost, or its last commit has begun: the next owner
    /// reads the push again if it is not done.
    func isLeftToNextOwner(_ id: PushID) -> Bool {
        intake.isLeftToNextOwner(assignment(of: id))
    }

    func isFinishedHere(_ id: PushID) -> Bool {
        let slot = pushes[id].record.slot
        return intake.phase != .closed && records[slot].isFinishedHere && records[slot].hasBegun
    }
}
