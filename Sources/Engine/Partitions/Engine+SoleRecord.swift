internal import Configuration
internal import Delivery
internal import EventLoop

/// Records that crash the worker: the first one of a partition is taken alone after starts without
/// progress, and ended after two more.
///
/// A commit counts the start before the record is taken, and says that it may have been sent before
/// it is sent. Nothing else of the process is in flight from before the first of these commits
/// until Kafka has one that does not count the start.
extension Engine {
    /// What the process allows a worker.
    package enum Standing: Equatable, Sendable {
        /// No record is to be alone.
        case free
        /// A record of another worker is.
        case othersTurn
        /// A record of this worker is.
        case ownTurn(areOthersQuiet: Bool)
    }

    /// True when a record is to be alone in the process.
    package var wantsToBeAlone: Bool { sole.turn != nil }

    /// What the process allows now.
    package mutating func setStanding(_ standing: Standing) {
        guard standing != .free || sole.isActive else { return }
        sole.isOthersTurn = standing == .othersTurn
        if case .ownTurn(let areOthersQuiet) = standing {
            sole.areOthersQuiet = areOthersQuiet
            if sole.turn?.step == .wanted {
                sole.turn?.step = .granted
                sole.turn?.since = now
            }
        }
        sole.isActive = true
        advanceHeld()
    }

    /// True when neither APNs nor Kafka has a push. Mutating, because a call that only borrows the
    /// engine copies it.
    package mutating func isQuiet() -> Bool {
        !pushes.slotRange.contains { isAtWork(pushes[$0].state) }
    }

    private func isAtWork(_ state: Push.State) -> Bool {
        switch state {
        case .inFlight: true
        case .reporting(let report): !report.owed.isEmpty || !report.published.isEmpty
        default: false
        }
    }

    /// The first record of a partition is to be alone.
    mutating func askToBeAlone(_ id: AssignmentID) {
        guard sole.turn == nil, now >= sole.notBefore else { return }
        sole.turn = SoleRecord.Turn(assignment: id, since: now)
        sole.isActive = true
    }

    /// Takes the next step of the record that is to be alone.
    mutating func advanceTurn() {
        guard let turn = sole.turn else { return }
        guard let index = partitions.index(of: turn.assignment) else { return sole.turn = nil }
        switch turn.step {
        case .wanted:
            if !isReadyToBeAlone(index) { sole.turn = nil }
        case .granted:
            guard isReadyToBeAlone(index) else { return sole.turn = nil }
            guard sole.areOthersQuiet, isQuiet() else { return putOff(turn) }
            countStart(index)
            if partitions[index].watch.firstRecord != nil { partitions[index].watch.noteSent() }
            sole.turn?.step = .counting
        case .counting:
            guard isReadyToBeAlone(index) else { return leaveAlone(index) }
            guard partitions[index].watch.isCountStored else { return }
            let isTaken = partitions[index].watch.firstRecord != nil
            guard !isTaken || partitions[index].watch.isSentStored else { return }
            sole.turn?.step = .going
            if isTaken { bringForward(index) } else { takeAlone(index) }
        case .going:
            noteProgress(of: index)
            guard partitions[index].watch.hasProgressed || !isFirstBeingProcessed(index) else {
                return bringForward(index)
            }
            leaveAlone(index)
            beginBatch(index)
        case .ending:
            guard !partitions[index].watch.isCountStored, commits.areDone else { return }
            sole.turn = nil
        }
    }

    /// What is in flight does not end: other records are not kept waiting for it.
    private mutating func putOff(_ turn: SoleRecord.Turn) {
        guard now >= turn.since + SoleRecord.maxWait else { return }
        sole.notBefore = now + SoleRecord.interval
        sole.turn = nil
    }

    private mutating func leaveAlone(_ index: Int) {
        sole.turn?.step = .ending
        partitions[index].watch.stopCounting()
        commits.hurry()
    }

    /// True when the first record of a partition could be taken or sent.
    private mutating func isReadyToBeAlone(_ index: Int) -> Bool {
        guard partitions[index].state == .owned, partitions[index].watch.needsToBeAlone else {
            return false
        }
        if partitions[index].watch.firstRecord != nil { return isFirstBeingProcessed(index) }
        return !partitions[index].watch.held.isEmpty && mayTake(partitions.all[index])
    }

    /// True while the first record is processed, or could be sent.
    private mutating func isFirstBeingProcessed(_ index: Int) -> Bool {
        guard let record = partitions[index].watch.firstRecord, isFirst(record) else {
            return false
        }
        for number in 0..<records[record.slot].count {
            guard let id = openPush(number, of: record) else { continue }
            if isAtWork(pushes[id].state) || canBeSent(id) { return true }
        }
        return false
    }

    /// True for a record that is taken alone. A drain may have abandoned it.
    private func isFirst(_ record: RecordID) -> Bool {
        records.isTaken(record.slot) && records[record.slot].isFirst
    }

    private mutating func canBeSent(_ id: PushID) -> Bool {
        pushes[id].state.kind == .queued && sole.turn?.hasNoRoom != true && !isHeldByPause(id)
            && queues.isDue(pushes[id].app, now: now)
    }

    /// The pushes of the first record go before those of records that are to be alone later, also
    /// when one of these is queued meanwhile.
    private mutating func bringForward(_ index: Int) {
        guard let record = partitions[index].watch.firstRecord, isFirst(record) else { return }
        for number in 0..<records[record.slot].count {
            guard let id = openPush(number, of: record), pushes[id].state.kind == .queued else {
                continue
            }
            let app = pushes[id].app
            let head = queues[app].pushes.first
            guard head.map({ !pushes.isCurrent($0) || pushes[$0].record != record }) ?? true else {
                continue
            }
            queues[app].pushes.bringForward(id)
            queues[app].isFull = false
            queues.headsChanged = true
        }
    }

    private mutating func takeAlone(_ index: Int) {
        sole.isTaking = true
        defer { sole.isTaking = false }
        guard partitions[index].watch.endsFirstRecord else { return takeFirstHeld(index) }
        let copy = sole.held.remove(partitions[index].watch.held.removeFirst())
        copy.withRecord { end($0, index) }
        store.release(copy)
    }

    /// A record of a partition was opened.
    mutating func noteOpened(_ record: RecordID, of index: Int) {
        guard sole.isTaking else { return }
        records[record.slot].isFirst = true
        partitions[index].watch.firstRecord = record
    }

    /// A partition leaves the worker: its record need not be alone.
    mutating func forgetTurn(of id: AssignmentID) {
        if sole.turn?.assignment == id { sole.turn = nil }
    }
}

// MARK: Sending

extension Engine {
    /// True for a push that must not be sent before a commit counts the start of its partition, or
    /// says that its record, which is alone, may have been sent.
    package mutating func awaitsCommit(_ id: PushID) -> Bool {
        guard sole.isWatching, let index = partitions.index(of: assignment(of: id)),
            partitions[index].state == .owned, partitions[index].watch.isWatched
        else { return false }
        guard partitions[index].watch.needsToBeAlone else {
            return commits.budget.hasRoomForMark
                && (!partitions[index].watch.isCounted
                    || partitions[index].watch.awaitsCount(now: now))
        }
        return records[pushes[id].record.slot].isFirst
            && !(isAlone(id) && partitions[index].watch.isSentStored)
    }

    /// A connection has room for such a push.
    package mutating func askForCommit(before id: PushID) {
        let app = pushes[id].app
        guard let index = partitions.index(of: assignment(of: id)) else { return }
        guard partitions[index].watch.needsToBeAlone else {
            queues[app].isFull = true
            if !partitions[index].watch.isCounted { countStart(index) }
            return
        }
        guard now >= sole.notBefore else {
            queues[app].pushes.popFirst()
            wait(id, for: now.duration(to: sole.notBefore))
            return settleHeads()
        }
        queues[app].isFull = true
        askToBeAlone(assignment(of: id))
        guard isAlone(id), !partitions[index].watch.wasSent else { return }
        partitions[index].watch.noteSent()
        commits.hurry()
    }

    /// The app of a push, and the size of its payload.
    package func demand(of id: PushID) -> (app: AppID, bytes: Int) {
        (pushes[id].app, Int(pushes[id].content.payloadCount))
    }

    /// True for a push of the record that is alone.
    func isAlone(_ id: PushID) -> Bool {
        guard let turn = sole.turn, turn.step == .going else { return false }
        return records[pushes[id].record.slot].isFirst && assignment(of: id) == turn.assignment
    }
}

// MARK: The end

extension Engine {
    /// Ends a record that has crashed the worker each time it was alone, without mapping it.
    ///
    /// A retry record is not even read after two more crashes: without the position of its event,
    /// it is reported as a whole.
    private mutating func end(_ record: borrowing Record, _ index: Int) {
        counters.records += 1
        partitions[index].watch.hasTaken = true
        guard partitions[index].tracker.begin(record.offset) else { return }
        let crashes = partitions[index].watch.startsBefore - StartWatch.toleratedStarts
        let state =
            crashes < StartWatch.toleratedEnds + 2
            ? stateOfCrashed(record, partitions[index].content) : nil
        let wasSent = partitions[index].watch.wasSent || state?.doubt != nil
        mapped.reset()
        let position = mapped.append()
        mapped.notifications[position].app = settings.apps.count == 1 ? 0 : AppID.none.index
        mapped.notifications[position].index = state?.index ?? 0
        mapped.notifications[position].eventTime =
            state?.origin.timestamp ?? record.timestamp ?? wallClock
        mapped.notifications[position].drop = Drop(
            .crashed, "the worker crashed while it processed this", specifics: ", \(crashes) times")
        notices.append(
            .crashed(
                record.topicPartition, offset: record.offset, crashes: crashes,
                wasSent ? .unknown : .dropped))
        open(record, retry: state, doubt: wasSent ? DropReason.crashed.rawValue : nil)
    }

    /// What a record says about its push; nil if that cannot be read, or somebody else may have
    /// written it.
    private mutating func stateOfCrashed(
        _ record: borrowing Record, _ content: PartitionProgress.Content
    ) -> RetryState? {
        switch content {
        case .events: nil
        case .retries: try? retryState(of: record)
        case .replays: try? replayState(of: record, until: wallClock)
        }
    }
}
