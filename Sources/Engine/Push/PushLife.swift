internal import Delivery
internal import EventLoop

// The life of a push: its states, the events that move it from one to the next, and the rules by
// which it is sent again or ends. The article *The life of a push* draws it.

extension Push {
    /// The state of a push. Each case contains the data that only it needs.
    enum State: Equatable, Sendable {
        /// Its record was taken; the same call decides what becomes of it.
        case new
        /// An earlier push with its ordering key has no verdict yet.
        case blocked
        /// It will be sent as soon as a connection has room.
        case queued
        /// A connection has accepted it. Once its request has ended, only until the same call has
        /// decided what follows; a response in any other state is late.
        case inFlight(InFlight)
        /// It will be sent again at that time.
        case waiting(until: Instant)
        /// It has a verdict, which the mass-invalidation guard withholds.
        case withheld(Report)
        /// Kafka still owes acknowledgements: of its outcome and what else its verdict asks for, or
        /// of its retry record.
        case reporting(Report)
        /// Kafka has acknowledged everything, or the next reader of its partition reads its record
        /// again.
        case done
    }

    /// What happens to a push.
    enum Event: Sendable {
        /// Its record was taken, and an earlier push with its ordering key has no verdict.
        case blocked
        /// It may be sent: its record was taken, its predecessor has its verdict, or its wait has
        /// ended; or it is sent again, for the guard to probe with or because of a response.
        case queued(PushLanes.Lane)
        /// A connection has accepted it.
        case sent(InFlight)
        /// It is not sent before that time: after a response, for its device, because it comes from
        /// the retry topic, or because its retry record is too large for Kafka.
        case delayed(until: Instant)
        /// Kafka is owed result records: it has a verdict, moves to the retry topic, or a record of
        /// it that Kafka rejected is published again.
        case reported(Report)
        /// It has a verdict, and the guard withholds it, also one that was to be reported when the
        /// guard engaged.
        case withheld(Report)
        /// The producer has accepted a result record.
        case published(ResultKinds)
        /// Kafka has stored a result record.
        case stored(ResultKinds)
        /// Kafka has rejected a result record.
        case refused(ResultKinds)
        /// Kafka has everything, or it is abandoned: the next reader of its partition reads its
        /// record again. Never while its request is open.
        case closed
    }
}

extension Push.State {
    /// The state after an event; nil for one that cannot happen in this state, and is a fault of
    /// the engine: it ends the process, and the record is read again.
    func after(_ event: Push.Event) -> Push.State? {
        switch self {
        case .new: Self.new(event)
        case .blocked: Self.blocked(event)
        case .queued: Self.queued(event)
        case .inFlight: Self.inFlight(event)
        case .waiting: Self.waiting(event)
        case .withheld: Self.withheld(event)
        case .reporting(let report): Self.reporting(report, event)
        case .done: nil
        }
    }

    private static func new(_ event: Push.Event) -> Push.State? {
        switch event {
        case .blocked: .blocked
        case .queued: .queued
        case .delayed(let until): .waiting(until: until)
        case .reported(let report): .reporting(report)
        case .sent, .withheld, .published, .stored, .refused, .closed: nil
        }
    }

    private static func blocked(_ event: Push.Event) -> Push.State? {
        switch event {
        case .queued: .queued
        case .reported(let report): .reporting(report)
        case .closed: .done
        case .blocked, .sent, .delayed, .withheld, .published, .stored, .refused: nil
        }
    }

    private static func queued(_ event: Push.Event) -> Push.State? {
        switch event {
        case .sent(let flight): .inFlight(flight)
        case .delayed(let until): .waiting(until: until)
        case .reported(let report): .reporting(report)
        case .closed: .done
        case .blocked, .queued, .withheld, .published, .stored, .refused: nil
        }
    }

    private static func inFlight(_ event: Push.Event) -> Push.State? {
        switch event {
        case .queued: .queued
        case .delayed(let until): .waiting(until: until)
        case .reported(let report): .reporting(report)
        case .withheld(let report): .withheld(report)
        case .closed: .done
        case .blocked, .sent, .published, .stored, .refused: nil
        }
    }

    private static func waiting(_ event: Push.Event) -> Push.State? {
        switch event {
        case .queued: .queued
        case .reported(let report): .reporting(report)
        case .closed: .done
        case .blocked, .sent, .delayed, .withheld, .published, .stored, .refused: nil
        }
    }

    /// Reported once an operator or the guard releases it; queued where the guard probes with it,
    /// which takes the verdict back.
    private static func withheld(_ event: Push.Event) -> Push.State? {
        switch event {
        case .queued: .queued
        case .reported(let report): .reporting(report)
        case .closed: .done
        case .blocked, .sent, .delayed, .withheld, .published, .stored, .refused: nil
        }
    }

    private static func reporting(_ report: Push.Report, _ event: Push.Event) -> Push.State? {
        switch event {
        case .delayed(let until): .waiting(until: until)
        case .reported(let changed): .reporting(changed)
        // The guard has engaged since: what Kafka may have already cannot be withheld.
        case .withheld(let changed): report.isUnpublished ? .withheld(changed) : nil
        case .published(let kind): .reporting(report.published(kind))
        case .stored(let kind): .reporting(report.stored(kind))
        case .refused(let kind): .reporting(report.refused(kind))
        case .closed: .done
        case .blocked, .queued, .sent: nil
        }
    }
}

extension Engine {
    /// Moves a push to its next state, and lists it where pushes in that state are looked for. Only
    /// ``PushTable/close(_:)`` closes it.
    ///
    /// A wait may move the push, and others of its record, on to the retry topic: without room
    /// outside the window, their retry records are owed at once.
    mutating func apply(_ event: Push.Event, to id: PushID) {
        pushes.apply(event, to: id)
        switch event {
        case .queued(let lane): enqueue(id, lane)
        case .delayed(let until):
            waiting.add(id, until: until)
            countAsWaiting(id)
        case .reported: outbox.append(id)
        case .withheld:
            if sending.hasSeveralApps, intake.hasRoomForStalled { countAsWaiting(id) }
            sending.withhold(id, of: pushes[id].app)
        case .blocked, .sent, .published, .stored, .refused: break
        case .closed: preconditionFailure("a push is closed with its slot")
        }
    }

    /// Appends a push to its app's queue. One of a record that is sent alone goes before all
    /// others.
    private mutating func enqueue(_ id: PushID, _ lane: PushLanes.Lane) {
        let app = pushes[id].app
        let isFirst = pushes[recordOf: id].isFirst
        sending.queue(id, of: app, in: isFirst ? .alone : lane)
        countAsWaitingIfStalled(id)
    }
}

// MARK: Sent again, or later

extension Engine {
    /// Queues a push again, unless it is left to the next reader of its partition.
    mutating func sendAgain(_ id: PushID, in lane: PushLanes.Lane = .again) {
        guard mayContinue(id) else { return abandon(id) }
        if giveWay(id) { return }
        apply(.queued(lane), to: id)
    }

    /// Queues a push that APNs refused together with its app: others are sent first.
    mutating func sendAfterOthers(_ id: PushID) {
        sendAgain(id, in: pushes[details: id].suspensions > 0 ? .suspects : .new)
    }

    /// Makes a push wait, but no longer than `give_up_after`; when its deadline comes first, the
    /// wait ends there. False if it does not wait: a newer one replaces it, or its partition is
    /// revoked, or the process ends, before the wait would. Then it goes to the retry topic at
    /// once, or is left to the next reader of its partition.
    @discardableResult
    mutating func wait(_ id: PushID, for duration: Duration) -> Bool {
        let delay = min(duration, settings.retry.giveUpAfter)
        let moment = now + delay
        if giveWay(id) { return false }
        pushes.change(id) { $0.resumesAt = moment }
        guard mayContinue(id, after: delay) else {
            if mayMoveToRetryTopic(id) { moveToRetryTopic(id) } else { abandon(id) }
            return false
        }
        apply(.delayed(until: moment), to: id)
        countSuccessorsAsWaiting(of: id)
        return pushes.isCurrent(id) && pushes[id].state.kind == .waiting
    }
}

// MARK: The end

extension Engine {
    /// Finishes a push without another attempt: in doubt, with the last response, or as
    /// unreachable.
    mutating func endUndelivered(_ id: PushID) {
        let details = pushes[details: id]
        guard details.doubt == nil else { return reportDoubt(id) }
        guard let status = details.lastStatus else { return finish(id, dropped: .unreachable) }
        finish(id, .rejected, status: status, reason: details.lastReason, owing: .deadLetter)
    }

    /// Finishes a push that has expired.
    mutating func expire(_ id: PushID) {
        guard pushes[details: id].doubt == nil else { return reportDoubt(id) }
        finish(id, dropped: .expired)
    }

    /// Finishes a push in doubt that is not resent.
    mutating func reportDoubt(_ id: PushID) {
        finish(id, .unknown, reason: pushes[details: id].doubt ?? "no response")
    }

    /// Finishes a push without sending it, or without sending it again.
    mutating func finish(_ id: PushID, dropped reason: DropReason) {
        finish(
            id, .dropped, reason: reason.rawValue,
            owing: reason.leavesDeadLetter ? .deadLetter : [])
    }

    /// Counts the verdict, ends the push's turn in its ordering key, owes its records to Kafka, and
    /// queues its successor, also where the verdict is withheld.
    mutating func finish(
        _ id: PushID, _ verdict: Verdict, status: Int = 0, reason: String? = nil,
        isSuspect: Bool = false, owing: ResultKinds = []
    ) {
        count(verdict)
        if verdict == .accepted || verdict == .unknown { noteArrival(id) }
        if settings.logDetail == .verdicts { trace(id, verdict, status, reason) }
        if let reason { pushes.change(id) { $0.decide(reason) } }
        noteDecision(id)
        pushes.noteVerdict(of: id)
        let successor = sending.removeFromOrder(id)
        var owed = owing.union(.outcome)
        if verdict == .unknown, settings.inDoubtDeadLetter { owed.insert(.deadLetter) }
        owe(
            id,
            Push.Report(
                verdict: verdict, status: UInt16(clamping: status), isSuspect: isSuspect,
                owed: owed))
        guard let successor, pushes.isCurrent(successor),
            pushes[successor].state.kind == .blocked
        else { return }
        apply(.queued(.new), to: successor)
    }

    /// Records when a verdict was reached, unless that is the moment of the last response.
    private mutating func noteDecision(_ id: PushID) {
        let isByResponse = pushes[id].respondedAt == wallClock
        guard !isByResponse || pushes.hasDetails(id) else { return }
        let moment = isByResponse ? nil : wallClock
        pushes.change(id) { $0.decidedAt = moment }
    }

    private mutating func count(_ verdict: Verdict) {
        switch verdict {
        case .accepted: counters.add(\.accepted)
        case .rejected: counters.add(\.rejected)
        case .dropped: counters.add(\.dropped)
        case .unknown: counters.add(\.unknown)
        }
    }

    /// Owes result records to Kafka. A verdict that blames the device token is withheld while the
    /// guard is engaged.
    mutating func owe(_ id: PushID, _ report: Push.Report) {
        guard mustWithhold(report, pushes[id].app) else {
            return apply(.reported(report), to: id)
        }
        withhold(id, report)
    }

    /// Withholds a verdict until the guard is released. If its record is read again, the next
    /// reader decides anew.
    mutating func withhold(_ id: PushID, _ report: Push.Report) {
        if mayStay(id) { apply(.withheld(report), to: id) } else { abandon(id) }
    }
}
