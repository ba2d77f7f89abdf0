internal import Delivery

/// The record that is alone: the first one of a partition, after starts without progress.
///
/// A commit counts the start before the record is taken, and says that it may have been sent before
/// it is sent. Nothing else of the process is in flight from before the first of these commits
/// until Kafka has one that does not count the start.
extension Intake {
    /// What the worker does for the record that is alone.
    enum SoleAction: Sendable {
        case nothing
        /// Takes the first record of the partition with this index, or ends it.
        case take(Int)
        /// Sends its pushes before all others.
        case bringForward(RecordID)
    }

    /// What the engine knows of pushes.
    struct SoleFacts {
        /// Neither APNs nor Kafka has a push.
        var isQuiet: Bool
        /// The record that was taken alone is processed, or could be sent.
        var isFirstProcessed: Bool
    }

    /// True when a record is to be alone in the process.
    var wantsToBeAlone: Bool { sole.turn != nil }

    /// True while nothing else may be taken or sent.
    var isHoldingBack: Bool { sole.isHoldingBack }

    /// The record that was taken alone, of the partition that is to be alone.
    var firstRecord: RecordID? {
        guard let turn = sole.turn, let index = partitions.index(of: turn.assignment) else {
            return nil
        }
        return partitions[index].watch.firstRecord
    }

    /// True when what is in flight is about to be waited for.
    var isGranted: Bool { sole.turn?.step == .granted }

    /// What the process allows now; false when that changes nothing.
    mutating func setStanding(_ standing: Engine.Standing, now: Instant) -> Bool {
        guard standing != .free || sole.isActive else { return false }
        sole.isOthersTurn = standing == .othersTurn
        if case .ownTurn(let areOthersQuiet) = standing {
            sole.areOthersQuiet = areOthersQuiet
            if sole.turn?.step == .wanted {
                sole.turn?.step = .granted
                sole.turn?.since = now
            }
        }
        sole.isActive = true
        return true
    }

    /// The first record of a partition is to be alone.
    mutating func askToBeAlone(_ id: AssignmentID, now: Instant) {
        guard sole.turn == nil, now >= sole.notBefore else { return }
        sole.turn = SoleRecord.Turn(assignment: id, since: now)
        sole.isActive = true
    }

    /// The next step of the record that is to be alone.
    mutating func advanceTurn(
        _ facts: SoleFacts, now: Instant
    ) -> (action: SoleAction, notices: [Notice]) {
        guard let turn = sole.turn else { return (.nothing, []) }
        guard let index = partitions.index(of: turn.assignment) else {
            sole.turn = nil
            return (.nothing, [])
        }
        let isReady = isReadyToBeAlone(index, facts)
        switch turn.step {
        case .wanted:
            if !isReady { sole.turn = nil }
        case .granted:
            if isReady { count(turn, index, facts, now: now) } else { sole.turn = nil }
        case .counting:
            guard isReady else {
                leaveAlone(index)
                break
            }
            return (go(index), [])
        case .going: return end(index, facts)
        case .ending:
            if !partitions[index].watch.isCountStored, commits.areDone { sole.turn = nil }
        }
        return (.nothing, [])
    }

    /// True when the first record of a partition could be taken or sent.
    private func isReadyToBeAlone(_ index: Int, _ facts: SoleFacts) -> Bool {
        guard partitions[index].state == .owned, partitions[index].watch.needsToBeAlone else {
            return false
        }
        if partitions[index].watch.firstRecord != nil { return facts.isFirstProcessed }
        return !partitions[index].watch.held.isEmpty && mayTake(partitions.all[index])
    }

    /// Once nothing is in flight, a commit counts the start. If that does not end, other records
    /// are not kept waiting for it.
    private mutating func count(
        _ turn: SoleRecord.Turn, _ index: Int, _ facts: SoleFacts, now: Instant
    ) {
        guard sole.areOthersQuiet, facts.isQuiet else {
            guard now >= turn.since + SoleRecord.maxWait else { return }
            sole.notBefore = now + SoleRecord.interval
            sole.turn = nil
            return
        }
        countStart(index, now: now)
        if partitions[index].watch.firstRecord != nil { partitions[index].watch.noteSent() }
        sole.turn?.step = .counting
    }

    /// Once Kafka has that commit, the record is taken, or sent.
    private mutating func go(_ index: Int) -> SoleAction {
        guard partitions[index].watch.isCountStored else { return .nothing }
        let record = partitions[index].watch.firstRecord
        guard record == nil || partitions[index].watch.isSentStored else { return .nothing }
        sole.turn?.step = .going
        return record.map { .bringForward($0) } ?? .take(index)
    }

    private mutating func end(
        _ index: Int, _ facts: SoleFacts
    ) -> (action: SoleAction, notices: [Notice]) {
        noteProgress(of: index)
        guard partitions[index].watch.hasProgressed || !facts.isFirstProcessed else {
            let record = partitions[index].watch.firstRecord
            return (record.map { .bringForward($0) } ?? .nothing, [])
        }
        leaveAlone(index)
        return (.nothing, beginBatch(index))
    }

    private mutating func leaveAlone(_ index: Int) {
        sole.turn?.step = .ending
        partitions[index].watch.stopCounting()
        commits.hurry()
    }

    /// A partition leaves the worker: its record need not be alone.
    mutating func forgetTurn(of id: AssignmentID) {
        if sole.turn?.assignment == id { sole.turn = nil }
    }
}

// MARK: Taking

extension Intake {
    /// True while the record is taken that is alone.
    var isTakingAlone: Bool { sole.isTaking }

    /// Takes out the first record of a partition, which is alone until ``tookAlone()``.
    mutating func takeAlone(_ index: Int) -> RecordCopy {
        sole.isTaking = true
        return takeFirstHeld(index)
    }

    /// The record that is alone was taken, or ended.
    mutating func tookAlone() { sole.isTaking = false }

    /// A record was opened that is alone.
    mutating func noteFirst(_ record: RecordID, of index: Int) {
        partitions[index].watch.firstRecord = record
    }

    /// True when the first record of a partition is ended instead of being taken.
    func endsFirstRecord(_ index: Int) -> Bool { partitions[index].watch.endsFirstRecord }

    /// A record that has crashed the worker each time it was alone is ended now; nil for one that
    /// an earlier reader has finished.
    mutating func beginCrashed(
        _ record: borrowing Record, _ index: Int
    ) -> (crashes: Int, wasSent: Bool)? {
        partitions[index].watch.hasTaken = true
        guard partitions[index].tracker.begin(record.offset) else { return nil }
        let watch = partitions[index].watch
        return (watch.startsBefore - StartWatch.toleratedStarts, watch.wasSent)
    }
}

// MARK: Sending

extension Intake {
    /// What a push waits for that must not be sent before a commit.
    enum CommitWait: Sendable {
        /// The commit, which has been asked for.
        case commit
        /// The next time that a record may be alone.
        case turn(Instant)
        /// Nothing: its partition has gone.
        case nothing
    }

    /// True for a partition of whose record that is alone pushes may be sent.
    func isAlone(_ id: AssignmentID) -> Bool {
        guard let turn = sole.turn else { return false }
        return turn.step == .going && turn.assignment == id
    }

    /// True for a push that must not be sent before a commit counts the start of its partition, or
    /// says that its record, which is alone, may have been sent. `isFirst` says that its record was
    /// taken alone.
    func awaitsCommit(_ id: AssignmentID, isFirst: Bool, now: Instant) -> Bool {
        guard sole.isWatching, let index = partitions.index(of: id),
            partitions[index].state == .owned, partitions[index].watch.isWatched
        else { return false }
        guard partitions[index].watch.needsToBeAlone else {
            return commits.budget.hasRoomForMark
                && (!partitions[index].watch.isCounted
                    || partitions[index].watch.awaitsCount(now: now))
        }
        return isFirst && !(isAlone(id) && partitions[index].watch.isSentStored)
    }

    /// A connection has room for such a push; `isFirst` says that its record was taken alone.
    mutating func askForCommit(
        of id: AssignmentID, isFirst: Bool, now: Instant
    ) -> CommitWait {
        guard let index = partitions.index(of: id) else { return .nothing }
        guard partitions[index].watch.needsToBeAlone else {
            if !partitions[index].watch.isCounted { countStart(index, now: now) }
            return .commit
        }
        guard now >= sole.notBefore else { return .turn(sole.notBefore) }
        askToBeAlone(id, now: now)
        guard isFirst, isAlone(id), !partitions[index].watch.wasSent else { return .commit }
        partitions[index].watch.noteSent()
        commits.hurry()
        return .commit
    }

    /// No connection has room for a push of the record that is alone.
    mutating func foundNoRoomAlone() { sole.turn?.hasNoRoom = true }

    /// True when no connection has room for the record that is alone.
    var hasNoRoomAlone: Bool { sole.turn?.hasNoRoom == true }
}
