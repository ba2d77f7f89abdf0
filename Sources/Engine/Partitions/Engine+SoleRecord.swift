internal import Configuration
internal import Delivery
internal import EventLoop

/// Records that crash the worker: the first one of a partition is taken alone after starts without
/// progress, and ended after two more.
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
    package var wantsToBeAlone: Bool { intake.wantsToBeAlone }

    /// What the process allows now.
    package mutating func setStanding(_ standing: Standing) {
        if intake.setStanding(standing, now: now) { advanceHeld() }
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
        case .new, .blocked, .queued, .waiting, .withheld, .done: false
        }
    }

    /// Takes the records that may be taken, and the next step of the one that is to be alone.
    mutating func advanceHeld() {
        guard intake.isHolding else { return }
        takeHeldOfReplaced()
        advanceTurn()
        note(intake.stopWatchingWithoutMarks())
        for id in intake.owned {
            while let copy = intake.takeHeld(of: id, now: now) {
                if let index = intake.index(of: id) { copy.withRecord { process($0, of: index) } }
                intake.release(copy)
            }
        }
        intake.updateSole()
    }

    private mutating func advanceTurn() {
        guard wantsToBeAlone else { return }
        let facts = Intake.SoleFacts(
            isQuiet: intake.isGranted && isQuiet(),
            isFirstProcessed: intake.firstRecord.map { isBeingProcessed($0) } ?? false)
        let step = intake.advanceTurn(facts, now: now)
        note(step.notices)
        switch step.action {
        case .nothing: break
        case .take(let index): takeAlone(index)
        case .bringForward(let record): bringForward(record)
        }
    }

    /// True while a record that was taken alone is processed, or could be sent.
    private mutating func isBeingProcessed(_ record: RecordID) -> Bool {
        guard isFirst(record) else { return false }
        for number in 0..<pushes[record].count {
            guard let id = pushes.openPush(number, of: record) else { continue }
            if isAtWork(pushes[id].state) || canBeSent(id) { return true }
        }
        return false
    }

    /// True for a record that is taken alone. A drain may have abandoned it.
    private mutating func isFirst(_ record: RecordID) -> Bool {
        pushes.isTaken(record) && pushes[record].isFirst
    }

    private mutating func canBeSent(_ id: PushID) -> Bool {
        pushes[id].state.kind == .queued && !intake.hasNoRoomAlone && !isHeldByPause(id)
            && sending.isDue(pushes[id].app, now: now)
    }

    /// The pushes of the first record go before those of records that are to be alone later, also
    /// when one of these is queued meanwhile.
    private mutating func bringForward(_ record: RecordID) {
        guard isFirst(record) else { return }
        for number in 0..<pushes[record].count {
            guard let id = pushes.openPush(number, of: record), pushes[id].state.kind == .queued
            else { continue }
            let app = pushes[id].app
            let head = sending.head(of: app)
            guard head.map({ !pushes.isCurrent($0) || pushes[$0].record != record }) ?? true else {
                continue
            }
            sending.bringForward(id, of: app)
        }
    }

    private mutating func takeAlone(_ index: Int) {
        let isEnded = intake.endsFirstRecord(index)
        let copy = intake.takeAlone(index)
        copy.withRecord { isEnded ? end($0, index) : process($0, of: index) }
        intake.release(copy)
        intake.tookAlone()
    }

    /// Takes the records that are held of replaced logs, as they cannot be read again: as many as
    /// the window has room for. With `all`, the worker ends, and nothing is waited for.
    mutating func takeHeldOfReplaced(all takesAll: Bool = false) {
        for id in takesAll ? intake.allReplacedWithHeld : intake.replacedWithHeld {
            while let copy = intake.takeHeldOfReplaced(id, evenWithoutRoom: takesAll) {
                if let index = intake.index(of: id) { copy.withRecord { process($0, of: index) } }
                intake.release(copy)
            }
            intake.removeIfFinished(id)
        }
    }

    /// Once a second: a start with nothing in flight does not count.
    mutating func sweepStarts() {
        guard intake.isWatchingStarts else { return }
        var (busy, unsent): (Set<AssignmentID>, Set<AssignmentID>) = ([], [])
        for slot in pushes.slotRange {
            switch pushes[slot].state {
            case .inFlight, .reporting:
                busy.insert(pushes[pushes[slot].record].assignment)
            case .queued: unsent.insert(pushes[pushes[slot].record].assignment)
            case .new, .blocked, .waiting, .withheld, .done: continue
            }
        }
        note(intake.sweepStarts(busy: busy, unsent: unsent))
    }
}

// MARK: Sending

extension Engine {
    /// True for a push that must not be sent before a commit counts the start of its partition, or
    /// says that its record, which is alone, may have been sent.
    package mutating func awaitsCommit(_ id: PushID) -> Bool {
        guard intake.isWatchingStarts else { return false }
        let record = pushes[id].record
        return intake.awaitsCommit(
            pushes[record].assignment, isFirst: pushes[record].isFirst, now: now)
    }

    /// A connection has room for such a push.
    package mutating func askForCommit(before id: PushID) {
        let app = pushes[id].app
        let isFirst = pushes[recordOf: id].isFirst
        switch intake.askForCommit(of: pushes.assignment(of: id), isFirst: isFirst, now: now) {
        case .nothing: break
        case .commit: sending.waitForNextTurn(app)
        case .turn(let moment):
            sending.removeHead(of: app)
            wait(id, for: now.duration(to: moment))
            settleHeads()
        }
    }

    /// The app of a push, and the size of its payload.
    package mutating func demand(of id: PushID) -> (app: AppID, bytes: Int) {
        (pushes[id].app, Int(pushes[id].content.payloadCount))
    }

    /// True for a push of the record that is alone.
    mutating func isAlone(_ id: PushID) -> Bool {
        pushes[recordOf: id].isFirst && intake.isAlone(pushes.assignment(of: id))
    }
}

// MARK: The end

extension Engine {
    /// Ends a record that has crashed the worker each time it was alone, without mapping it.
    ///
    /// A retry record is not even read after two more crashes: without the position of its event,
    /// it is reported as a whole.
    private mutating func end(_ record: borrowing Record, _ index: Int) {
        counters.add(\.records)
        guard let (crashes, wasSentBefore) = intake.beginCrashed(record, index) else { return }
        let state =
            crashes < StartWatch.toleratedEnds + 2
            ? stateOfCrashed(record, intake.content(index)) : nil
        let wasSent = wasSentBefore || state?.doubt != nil
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
        open(record, origin: state?.origin) { engine, id in
            if let state { engine.restore(id, from: state) }
            if wasSent { engine.pushes.change(id) { $0.noteDoubt(DropReason.crashed.rawValue) } }
            return nil
        }
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
