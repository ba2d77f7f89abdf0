internal import Delivery
internal import EventLoop

/// Records that have arrived and are not taken yet: until a commit counts the start of their
/// partition, while a record is alone, or until the batch before theirs is committed.
extension Intake {
    /// The index of a partition whose records may be taken.
    func takingIndex(of id: AssignmentID) -> Int? {
        guard phase == .running, let index = partitions.index(of: id),
            partitions[index].state == .owned
        else { return nil }
        return index
    }

    /// The index of an assigned partition; valid until one is added or removed.
    func index(of id: AssignmentID) -> Int? { partitions.index(of: id) }

    /// What the records of a partition are.
    func content(_ index: Int) -> PartitionProgress.Content { partitions[index].content }

    /// A record is taken now; false for one that an earlier reader has finished.
    mutating func begin(_ record: borrowing Record, _ index: Int) -> Bool {
        partitions[index].watch.hasTaken = true
        guard partitions[index].tracker.begin(record.offset) else {
            commits.isDirty = true
            return false
        }
        partitions[index].watch.noteTaken()
        partitions[index].times.note(record.offset, record.timestamp)
        return true
    }

    /// The identifier of a notification of a partition.
    mutating func identifier(
        index: Int, own: NotificationID?, isOneOfSeveral: Bool, offset: Int64, of partition: Int
    ) -> NotificationID {
        partitions[partition].names.identifier(
            index: index, own: own, isOneOfSeveral: isOneOfSeveral, offset: offset)
    }

    /// Keeps a record that has arrived and may not be taken yet; false for one that is taken now.
    mutating func holdBack(_ record: borrowing Record, _ index: Int, now: Instant) -> Bool {
        guard sole.isWatching, !passesFreely(index, now: now) else { return false }
        partitions[index].watch.held.append(held.add(record))
        sole.isActive = true
        if partitions[index].watch.held.count >= SoleRecord.maxHeld {
            flow.pause(record.assignment, for: .oneAtATime)
        }
        return true
    }

    private mutating func passesFreely(_ index: Int, now: Instant) -> Bool {
        partitions[index].watch.held.isEmpty && mayPass(index, now: now)
    }

    private mutating func mayPass(_ index: Int, now: Instant) -> Bool {
        guard !sole.isHoldingBack, !mustTakeAlone(index) else { return false }
        return partitions[index].watch.hasRoomInBatch && isStartCounted(index, now: now)
    }

    /// True when the next record of a partition is its first one, and to be alone.
    func mustTakeAlone(_ index: Int) -> Bool {
        partitions[index].watch.needsToBeAlone && partitions[index].watch.firstRecord == nil
    }

    /// True when records may be held.
    var isHolding: Bool { sole.isActive }

    /// Takes out the next record of a partition that is held and may be taken. Its memory is freed
    /// by ``release(_:)``.
    mutating func takeHeld(of id: AssignmentID, now: Instant) -> RecordCopy? {
        guard let index = partitions.index(of: id) else { return nil }
        guard let slot = partitions[index].watch.held.first else {
            flow.resume(id, from: .oneAtATime)
            return nil
        }
        guard mayTake(id) else { return nil }
        guard partitions[index].tracker.isPast(held.offset(slot)) || mayPass(index, now: now) else {
            if mustTakeAlone(index) { askToBeAlone(id, now: now) }
            return nil
        }
        return takeFirstHeld(index)
    }

    /// True when records of a partition may be taken, apart from what starts demand.
    func mayTake(_ id: AssignmentID) -> Bool {
        phase == .running && !flow.isPausedByOperator && !clock.isInDoubt && window.room > 0
            && flow.reasons(of: id).subtracting(.oneAtATime).isEmpty
    }

    /// Takes out the first record of a partition that is held.
    mutating func takeFirstHeld(_ index: Int) -> RecordCopy {
        held.take(partitions[index].watch.held.removeFirst())
    }

    /// Frees the memory of a record that was held.
    mutating func release(_ copy: consuming RecordCopy) { held.release(copy) }

    /// Whether records are held, and starts may still be without progress.
    mutating func updateSole() {
        sole.isActive =
            sole.turn != nil || sole.isOthersTurn
            || partitions.indices.contains {
                partitions[$0].watch.batch != nil || !partitions[$0].watch.held.isEmpty
            }
        sole.isWatching =
            sole.isActive || partitions.indices.contains { partitions[$0].watch.isWatched }
    }
}

// MARK: Leaving

extension Intake {
    /// A partition is revoked, or the worker stops: what it has not taken is read again.
    mutating func leaveHeld(_ index: Int, _ id: AssignmentID) {
        forgetHeld(index)
        if sole.turn?.assignment == id, partitions[index].watch.isCountStored { commits.hurry() }
    }

    /// Those of a replaced log cannot be read again: they are taken as the window allows.
    mutating func leaveAllHeld() {
        for index in partitions.indices where partitions[index].state != .replaced {
            leaveHeld(index, partitions.all[index])
        }
    }

    mutating func forgetHeld(_ index: Int) {
        for slot in partitions[index].watch.held { held.drop(slot) }
        partitions[index].watch.held = []
        forgetAwaiting(index)
    }

    /// The replaced logs of which records are held that may be taken now: when records may be taken
    /// at all. A worker that stops takes them even if an operator has paused it.
    var replacedWithHeld: [AssignmentID] {
        let isPaused = flow.isPausedByOperator && phase == .running
        return sole.isHoldingBack || isPaused ? [] : allReplacedWithHeld
    }

    /// All replaced logs of which records are held.
    var allReplacedWithHeld: [AssignmentID] {
        partitions.filter { $0.state == .replaced && !$0.watch.held.isEmpty }
    }

    /// Takes out the next held record of a replaced log, if the window has room for it. With
    /// `evenWithoutRoom`, the worker ends, and nothing is waited for.
    mutating func takeHeldOfReplaced(
        _ id: AssignmentID, evenWithoutRoom: Bool
    ) -> RecordCopy? {
        guard let index = partitions.index(of: id), evenWithoutRoom || window.room > 0,
            !partitions[index].watch.held.isEmpty
        else { return nil }
        return takeFirstHeld(index)
    }

    /// The number of records that are held of replaced logs.
    var heldOfReplaced: Int {
        guard sole.isActive || schemas.heldCount > 0 else { return 0 }
        return partitions.indices.reduce(0) { count, index in
            guard partitions[index].state == .replaced else { return count }
            return count + partitions[index].watch.held.count
                + partitions[index].awaitingSchema.count
        }
    }
}
