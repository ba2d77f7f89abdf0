internal import Configuration
internal import Delivery
internal import EventLoop
internal import Mapping

/// Retries that wait in Kafka because there is no room for them in memory.
extension Engine {
    /// The shortest pause of a partition of the retry topic whose next record is not due.
    static var minPause: Duration { .milliseconds(250) }
    /// The longest such pause, whatever the record says: later records may be due.
    static var maxPause: Duration { .seconds(60) }

    /// Takes a record of the retry topic: one push of an event that was taken earlier.
    mutating func takeRetry(_ record: borrowing Record) {
        counters.add(\.takenFromRetryTopic)
        do throws(RetryRecord.Damage) {
            openAgain(record, bounded(try retryState(of: record), record))
        } catch {
            openDamaged(record, error)
        }
    }

    /// Takes a record of the replay topic: one push of an event that became a dead letter. Its
    /// attempts and its age start anew.
    mutating func takeReplay(_ record: borrowing Record) {
        counters.add(\.takenFromReplayTopic)
        do throws(RetryRecord.Damage) {
            let until = wallClock + settings.retry.giveUpAfter.milliseconds
            openAgain(record, try replayState(of: record, until: until))
        } catch {
            openDamaged(record, error)
        }
    }

    /// The state that a record of the retry topic gives its push; throws if somebody else may have
    /// written it.
    func retryState(of record: borrowing Record) throws(RetryRecord.Damage) -> RetryState {
        try checkSeal(of: record, .retry)
        return try RetryRecord.state(of: record)
    }

    /// The same for a record of the replay topic: the state of a push that begins now.
    mutating func replayState(
        of record: borrowing Record, until: Int64
    ) throws(RetryRecord.Damage) -> RetryState {
        try checkSeal(of: record, .replay)
        return try RetryRecord.replayState(
            of: record, sequence: pushes.nextSequence(wallClock), now: wallClock, until: until)
    }

    /// Throws if a record must be sealed and is not.
    private func checkSeal(
        of record: borrowing Record, _ kind: SealKeys.Kind
    ) throws(RetryRecord.Damage) {
        let fault = settings.results.seal?.fault(kind, of: record)
        if let fault { throw RetryRecord.Damage(detail: fault) }
    }

    /// Whatever a record says, it waits no longer than any push may wait from now on, or from the
    /// later of the times at which it was written and stored: either clock may be behind.
    private func bounded(_ state: RetryState, _ record: borrowing Record) -> RetryState {
        var state = state
        let storedAt = record.timestamp ?? 0
        let writtenAt = state.writtenAt ?? min(record.timestamp ?? wallClock, wallClock)
        let start = min(max(storedAt, writtenAt), max(writtenAt, wallClock))
        let (end, isTooLate) = start.addingReportingOverflow(
            settings.retry.giveUpAfter.milliseconds)
        guard !isTooLate else { return state }
        state.until = min(state.until, end)
        state.due = min(state.due, end)
        return state
    }

    /// Opens the push that the state names.
    private mutating func openAgain(_ record: borrowing Record, _ state: RetryState) {
        mapped.reset()
        // Mapped as when it was first taken, so that it yields the same push.
        let event = pushes.copy(
            record, adding: 0, leavingOut: BridgeHeader.retryPrefix, origin: state.origin)
        event.withRecord {
            mapping.value.map($0, now: state.takenAt, only: state.index)
        }
        pushes.release(event)
        keepOnly(index: state.index)
        open(record, origin: state.origin) { engine, id in
            engine.restore(id, from: state)
            return state.delay(at: engine.wallClock)
        }
    }

    private mutating func openDamaged(_ record: borrowing Record, _ damage: RetryRecord.Damage) {
        mapped.reset()
        mapDamage(damage.detail)
        mapped.notifications[0].eventTime = RetryRecord.eventTime(of: record) ?? wallClock
        open(record)
    }

    /// Keeps one of the pushes that mapping produced.
    private mutating func keepOnly(index: Int) {
        let position = (0..<mapped.count).first { mapped.notifications[$0].index == index }
        guard let position, !mapped.isSkipped else {
            let time = mapped.count > 0 ? mapped.notifications[0].eventTime : wallClock
            mapped.reset()
            defer { mapped.notifications[0].eventTime = time }
            return mapDamage(
                "the event no longer makes notification \(index): was the connector changed?")
        }
        mapped.notifications.swapAt(0, position)
        mapped.count = 1
    }

    private mutating func mapDamage(_ detail: String) {
        mapped.notifications[mapped.append()].drop = Drop(.damagedRetry, detail)
    }

    /// Restores the state that a push had when it was written to the retry topic. The time for
    /// which sending was suspended while it lay there does not count against it.
    mutating func restore(_ id: PushID, from state: RetryState) {
        pushes[id].restore(state)
        let left = Duration.milliseconds(state.left(until: state.until, at: wallClock))
        let lain = Duration.milliseconds(state.age(at: wallClock))
        let suspended = sending.suspendedTime(of: pushes[id].app, from: now - lain, to: now)
        let age = max(.zero, settings.retry.giveUpAfter - left - suspended)
        pushes.change(id) { $0.restore(state, age: age) }
    }

    /// Makes a push wait until it is due, and pauses its partition until then.
    mutating func waitUntilDue(_ id: PushID, for delay: Duration) {
        let assignment = pushes.assignment(of: id)
        guard wait(id, for: delay) else { return }
        let resumesAt = pushes[details: id].resumesAt
        intake.pauseUntilDue(
            assignment,
            until: min(max(resumesAt, now + Self.minPause), now + Self.maxPause))
    }
}

/// Moving pushes from memory to the retry topic.
extension Engine {
    /// True when a waiting push may be written to the retry topic.
    func mayMoveToRetryTopic(_ id: PushID) -> Bool {
        let details = pushes[details: id]
        guard !details.staysInMemory else { return false }
        let wasSent = Int(pushes[id].attempts) > details.attemptsBefore
        return intake.mayMoveToRetryTopic(
            pushes.assignment(of: id), wasSent: wasSent, isFromRetryTopic: details.isFromRetryTopic,
            now: now)
    }

    /// Writes a waiting push to the retry topic. It has no outcome yet; its record counts as done
    /// once Kafka has stored it there.
    mutating func moveToRetryTopic(_ id: PushID) {
        counters.add(\.movedToRetryTopic)
        pushes.noteVerdict(of: id)
        owe(id, Push.Report(verdict: nil, owed: .retry))
    }

    /// Writes the waiting pushes of a record to the retry topic; false when some must stay.
    mutating func moveToRetryTopic(_ record: RecordID, _ known: PushID?) -> Bool {
        guard settings.results.retry != nil else { return false }
        if let known, pushes[record].remaining == 1 {
            // A push that waits only for its predecessor keeps its position in the order.
            guard pushes[known].state.kind == .waiting, mayMoveToRetryTopic(known) else {
                return false
            }
            moveToRetryTopic(known)
            return true
        }
        var isWhole = true
        for index in 0..<pushes[record].count {
            guard let id = pushes.openPush(index, of: record) else { continue }
            switch pushes[id].state.kind {
            case .waiting where mayMoveToRetryTopic(id): moveToRetryTopic(id)
            case .reporting: break
            // Those that wait for a stalled app or for a predecessor stay, too.
            case .new, .waiting, .blocked, .queued, .inFlight, .withheld, .done: isWhole = false
            }
        }
        return isWhole
    }

    /// Writes the waiting pushes of a partition, or of all, to the retry topic: of records below an
    /// offset, where one is given.
    mutating func moveWaitingToRetryTopic(
        of assignment: AssignmentID?, below end: Int64 = .max
    ) {
        guard settings.results.retry != nil else { return }
        for slot in pushes.slotRange where pushes[slot].state.kind == .waiting {
            let record = pushes[slot].record
            guard assignment == nil || pushes[record].assignment == assignment,
                pushes[record].offset < end
            else { continue }
            let id = pushes.id(of: slot)
            if mayMoveToRetryTopic(id) { moveToRetryTopic(id) }
        }
    }

    /// Kafka rejected the retry record: the push waits in memory.
    mutating func keepInMemory(_ id: PushID) {
        pushes.change(id) { $0.staysInMemory = true }
        guard mayContinue(id) else { return abandon(id) }
        apply(.delayed(until: max(now, pushes[details: id].resumesAt)), to: id)
    }

    /// Withdraws retry records that Kafka does not have yet: another reader sends these pushes.
    mutating func dropUnpublishedRetries(of assignment: AssignmentID) {
        guard settings.results.retry != nil else { return }
        for slot in pushes.slotRange {
            guard case .reporting(let report) = pushes[slot].state,
                report.owed.contains(.retry) || report.refused.contains(.retry)
            else { continue }
            let id = pushes.id(of: slot)
            if pushes.assignment(of: id) == assignment { abandon(id) }
        }
    }

    /// When a waiting push is given up, in milliseconds since 1970; a suspension that lasts does
    /// not count.
    func givenUpAt(_ id: PushID) -> Int64 {
        let takenAt = pushes[id].takenAt
        let end = sending.heldSince(pushes[id].app).map { max($0, takenAt) } ?? now
        let age = takenAt.duration(to: end) + pushes[details: id].age
        return wallClock + (settings.retry.giveUpAfter - age).milliseconds
    }

    /// When a waiting push is due, in milliseconds since 1970.
    func due(_ id: PushID) -> Int64 {
        let resumesAt = pushes[details: id].resumesAt
        return wallClock + now.duration(to: max(now, resumesAt)).milliseconds
    }
}
