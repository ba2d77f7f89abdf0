internal import Delivery
internal import EventLoop

/// Records that have arrived and are not taken yet: until a commit counts the start of their
/// partition, while a record is alone, or until the batch before theirs is committed.
extension Engine {
    /// True when a record that arrives is processed at once.
    mutating func passesFreely(_ index: Int) -> Bool {
        partitions[index].watch.held.isEmpty && mayPass(index)
    }

    private mutating func mayPass(_ index: Int) -> Bool {
        guard !sole.isHoldingBack, !mustTakeAlone(index) else { return false }
        return partitions[index].watch.hasRoomInBatch && isStartCounted(index)
    }

    /// True when the next record of a partition is its first one, and to be alone.
    private func mustTakeAlone(_ index: Int) -> Bool {
        partitions[index].watch.needsToBeAlone && partitions[index].watch.firstRecord == nil
    }

    /// Keeps a record that has arrived until it may be taken.
    mutating func hold(_ record: borrowing Record, _ index: Int) {
        let slot = sole.held.insert(store.copy(record, adding: 0))
        partitions[index].watch.held.append(slot)
        sole.isActive = true
        if partitions[index].watch.held.count >= SoleRecord.maxHeld {
            flow.pause(record.assignment, for: .oneAtATime)
        }
    }

    /// Takes the records that may be taken, and the next step of the one that is to be alone.
    mutating func advanceHeld() {
        guard sole.isActive else { return }
        takeHeldOfReplaced()
        advanceTurn()
        for index in partitions.indices where partitions[index].state == .owned {
            takeHeld(index, partitions.all[index])
        }
        updateSole()
    }

    private mutating func takeHeld(_ index: Int, _ id: AssignmentID) {
        if partitions[index].watch.batch != nil, !commits.budget.hasRoomForMark {
            partitions[index].watch.stopWatching()
            noteNormal(index)
        }
        while let offset = heldOffset(index), mayTake(id) {
            guard partitions[index].tracker.isPast(offset) || mayPass(index) else {
                if mustTakeAlone(index) { askToBeAlone(id) }
                return
            }
            takeFirstHeld(index)
        }
        if partitions[index].watch.held.isEmpty { flow.resume(id, from: .oneAtATime) }
    }

    func mayTake(_ id: AssignmentID) -> Bool {
        phase == .running && !flow.isPausedByOperator && !isClockInDoubt && window.room > 0
            && flow.reasons(of: id).subtracting(.oneAtATime).isEmpty
    }

    private func heldOffset(_ index: Int) -> Int64? {
        partitions[index].watch.held.first.map { sole.held[$0].origin.offset }
    }

    mutating func takeFirstHeld(_ index: Int) {
        let copy = sole.held.remove(partitions[index].watch.held.removeFirst())
        copy.withRecord { process($0, of: index) }
        store.release(copy)
    }

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

// MARK: Starts

extension Engine {
    /// True when a commit counts this start, or need not.
    private mutating func isStartCounted(_ index: Int) -> Bool {
        guard partitions[index].watch.isWatched, !partitions[index].watch.needsToBeAlone,
            commits.budget.hasRoomForMark
        else { return true }
        if !partitions[index].watch.isCounted { countStart(index) }
        return !partitions[index].watch.awaitsCount(now: now)
    }

    /// The next commit counts the start of a partition.
    mutating func countStart(_ index: Int) {
        partitions[index].watch.count(now: now)
        sole.countEnd = now + StartWatch.maxDelay
        sole.isActive = true
        commits.hurry()
    }

    /// The commits of a start have changed: taking records waits for them, or no longer.
    mutating func waitForStarts() {
        guard sole.countEnd != nil else { return }
        let isAnyAwaited = partitions.indices.contains {
            partitions[$0].state == .owned && partitions[$0].watch.awaitsCount(now: now)
        }
        if !isAnyAwaited || !commits.budget.hasRoomForMark { sole.countEnd = nil }
    }

    /// True while the source is not asked for records.
    var isWaitingForStarts: Bool { sole.isHoldingBack || sole.countEnd.map { now < $0 } ?? false }

    /// Kafka has stored a commit.
    mutating func noteStored(_ commit: OffsetCommit, of index: Int) {
        guard sole.isWatching else { return }
        partitions[index].watch.stored(StartMark(metadata: commit.metadata))
        if partitions[index].watch.isBatchCommitted { beginBatch(index) }
        waitForStarts()
    }

    /// Once a second: a start with nothing in flight does not count. If all that is open waits, the
    /// next batch begins.
    mutating func sweepStarts() {
        guard sole.isWatching else { return }
        var (busy, unsent): (Set<AssignmentID>, Set<AssignmentID>) = ([], [])
        for slot in pushes.slotRange {
            switch pushes[slot].state {
            case .inFlight, .reporting:
                busy.insert(records[pushes[slot].record.slot].assignment)
            case .queued: unsent.insert(records[pushes[slot].record.slot].assignment)
            default: continue
            }
        }
        for index in partitions.indices where partitions[index].state == .owned {
            let id = partitions.all[index]
            guard sole.turn?.assignment != id else { continue }
            if partitions[index].watch.batch != nil, !mustTakeAlone(index), !busy.contains(id),
                !unsent.contains(id)
            {
                beginBatch(index)
            }
            guard partitions[index].watch.isWatched, partitions[index].watch.isCounted,
                partitions[index].watch.held.isEmpty, !busy.contains(id)
            else { continue }
            partitions[index].watch.stopCounting()
            commits.isDirty = true
        }
        updateSole()
    }

    /// A record of a partition is done.
    mutating func noteDone(of index: Int, _ id: AssignmentID) {
        noteProgress(of: index)
        guard sole.turn?.assignment != id, !mustTakeAlone(index),
            partitions[index].watch.noteDone()
        else { return }
        commits.hurry()
    }

    /// The committed offset of a partition could advance.
    mutating func noteProgress(of index: Int) {
        guard let next = partitions[index].tracker.next else { return }
        partitions[index].watch.note(next: next)
    }

    /// More records of a partition may be taken.
    mutating func beginBatch(_ index: Int) {
        if partitions[index].watch.beginBatch() { noteNormal(index) }
    }

    private mutating func noteNormal(_ index: Int) {
        commits.isDirty = true
        notices.append(.takenNormally(partitions[index].topicPartition))
    }

    /// A partition was assigned whose last starts made no progress.
    mutating func noteBatches(of partition: PartitionProgress) {
        guard partition.watch.batch != nil else { return }
        counters.crashedStarts += 1
        notices.append(
            .takenOneAtATime(partition.topicPartition, starts: partition.watch.startsBefore))
    }
}

// MARK: Leaving

extension Engine {
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

    /// A partition is no longer this worker's: its next owner has read what the last commit says.
    mutating func dropHeld(_ index: Int, _ id: AssignmentID) {
        forgetHeld(index)
        forgetTurn(of: id)
    }

    /// Takes the records that are held of replaced logs, as they cannot be read again: when records
    /// may be taken at all, as many as the window has room for. A worker that stops takes them even
    /// if an operator has paused it. With `all`, the worker ends, and nothing is waited for.
    mutating func takeHeldOfReplaced(all takesAll: Bool = false) {
        let isPaused = flow.isPausedByOperator && phase == .running
        guard takesAll || !sole.isHoldingBack && !isPaused else { return }
        for id in partitions.filter({ $0.state == .replaced && !$0.watch.held.isEmpty }) {
            guard let index = partitions.index(of: id) else { continue }
            while takesAll || window.room > 0, !partitions[index].watch.held.isEmpty {
                takeFirstHeld(index)
            }
            removeIfFinished(index, id)
        }
    }

    /// Forgets a replaced log once all of its records are done.
    mutating func removeIfFinished(_ index: Int, _ id: AssignmentID) {
        guard partitions[index].openRecords == 0, partitions[index].watch.held.isEmpty,
            partitions[index].awaitingSchema.isEmpty
        else { return }
        partitions.remove(id)
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

    /// A partition was given up, or lost.
    mutating func remove(_ id: AssignmentID) {
        if let partition = partitions[id] { departed.add(id, partition) }
        partitions.remove(id)
        forgetTurn(of: id)
    }

    private mutating func forgetHeld(_ index: Int) {
        for slot in partitions[index].watch.held { store.release(sole.held.remove(slot)) }
        partitions[index].watch.held = []
        forgetAwaiting(index)
    }
}
