internal import APNs
internal import Delivery
internal import EventLoop

/// From a verdict to result records that Kafka has acknowledged.
extension WorkerCore {
    mutating func finish(_ place: Int, dropped reason: DropReason) {
        var outcome = Outcome(.dropped, reason: reason.rawValue, id: notifications[place].id)
        outcome.lastStatus = notifications[place].lastStatus
        outcome.lastReason = notifications[place].lastReason
        finish(place, outcome, owing: reason.leavesDeadLetter ? .deadLetter : [])
    }

    mutating func finish(_ place: Int, _ verdict: Verdict, reason: String) {
        var outcome = Outcome(verdict, reason: reason, id: notifications[place].id)
        outcome.lastStatus = notifications[place].lastStatus
        outcome.lastReason = notifications[place].lastReason
        finish(place, outcome, owing: [])
    }

    mutating func finish(
        _ place: Int, _ verdict: Verdict, _ answer: APNsResponse, owing: ResultKinds = [],
        isSuspect: Bool = false
    ) {
        let reason = answer.reason.isEmpty ? nil : answer.reason
        var outcome = Outcome(
            verdict, reason: verdict == .accepted ? nil : reason, id: notifications[place].id)
        outcome.status = answer.status
        outcome.isSuspect = isSuspect
        outcome.uniqueID = answer.uniqueID
        finish(place, outcome, owing: owing)
    }

    /// Fixes the verdict, and lets the next notification for the same device go on.
    mutating func finish(_ place: Int, _ verdict: Outcome, owing: ResultKinds) {
        var outcome = verdict
        outcome.attempts = notifications[place].attempts
        outcome.sentAt = notifications[place].sentAt
        outcome.answeredAt = notifications[place].answeredAt
        count(outcome.verdict)
        notifications[place].outcome = outcome
        notifications[place].stage = .reporting
        records[notifications[place].record].hasVerdict = true
        notifications[place].generation &+= 1
        notifications[place].owed = owing.union(.outcome)
        reports.append(place)
        guard let key = notifications[place].key else { return }
        notifications[place].key = nil
        if let successor = notifications[place].successor {
            notifications[place].successor = nil
            makeReady(successor)
        } else {
            order.end(place, key: key)
        }
    }

    private mutating func count(_ verdict: Verdict) {
        switch verdict {
        case .accepted: counters.accepted += 1
        case .rejected: counters.rejected += 1
        case .dropped: counters.dropped += 1
        case .unknown: counters.unknown += 1
        }
    }

    /// Writes the next result record that is owed into ``writer``; nil when none is.
    mutating func nextResult() -> Ticket? {
        while let place = reports.first {
            guard !isToBeGuarded(place) else {
                reports.popFirst()
                keepBack(place)
                continue
            }
            if let kind = notifications[place].owed.first {
                write(kind, of: place)
                return Ticket(notification: place, kind: kind)
            }
            reports.popFirst()
        }
        return nil
    }

    private mutating func write(_ kind: ResultKinds, of place: Int) {
        let record = notifications[place].record
        switch kind {
        case .outcome:
            writer.writeOutcome(&notifications[place], records[record].record, wallClock)
        case .unregistered:
            writer.writeUnregistered(
                notifications[place], records[record].record, wallClock)
        case .retry:
            writer.writeRetry(
                notifications[place], records[record].record, due: due(place),
                until: givenUpAt(place))
        default:
            writer.writeDeadLetter(notifications[place], records[record].record)
        }
    }

    /// The sink has taken the record that was written.
    mutating func published(_ ticket: Ticket) {
        notifications[ticket.notification].owed.remove(ticket.kind)
        notifications[ticket.notification].unacknowledged.insert(ticket.kind)
    }

    /// Kafka has said what became of a result record.
    mutating func acknowledged(_ ticket: Ticket, _ acknowledgement: Acknowledgement) {
        notifications[ticket.notification].unacknowledged.remove(ticket.kind)
        switch acknowledgement {
        case .stored:
            counters.resultsStored += 1
            let place = ticket.notification
            if notifications[place].isReported { close(notification: place) }
        case .tooLarge: shrink(ticket)
        case .failed(let failure): refuse(ticket, failure)
        }
    }

    /// Leaves out more of a record that Kafka finds too large, and offers it again.
    mutating func shrink(_ ticket: Ticket) {
        let place = ticket.notification
        guard ticket.kind != .retry else { return keepInMemory(place) }
        guard notifications[place].shrink(ticket.kind) else {
            let failure = SourceFailure(
                code: "MSG_SIZE_TOO_LARGE", detail: "even without key and value", isFatal: false)
            return refuse(ticket, failure)
        }
        notifications[place].owed.insert(ticket.kind)
        reports.append(place)
    }

    /// Offers a record again after a while: its offset waits for it.
    mutating func refuse(_ ticket: Ticket, _ failure: SourceFailure) {
        counters.resultsRefused += 1
        let place = ticket.notification
        notifications[place].withheld.insert(ticket.kind)
        refused.add(now + Self.sweepInterval, id: place, generation: 0)
        let notice = Notice(
            .error, "Kafka refused a result record; its offset waits until it is taken",
            [("code", failure.code), ("detail", failure.detail)])
        if notices.last != notice { notices.append(notice) }
    }
}

extension OpenNotification {
    /// True when Kafka has every result record.
    var isReported: Bool { owed.isEmpty && unacknowledged.isEmpty && withheld.isEmpty }

    /// True when it owes something and Kafka has nothing in hand.
    var isUntold: Bool { !owed.isEmpty && unacknowledged.isEmpty && withheld.isEmpty }

    /// Leaves out more of a result record; false when nothing more can be.
    mutating func shrink(_ kind: ResultKinds) -> Bool {
        if kind == .deadLetter {
            let more = DeadLetterOmission(rawValue: omission.rawValue + 1)
            omission = more ?? omission
            return more != nil
        }
        defer { isOutcomeShort = true }
        return !isOutcomeShort
    }
}

/// Names a result record while Kafka has it in hand.
struct Ticket: Equatable, Sendable {
    var notification: Int
    var kind: ResultKinds

    init(notification: Int, kind: ResultKinds) {
        self.notification = notification
        self.kind = kind
    }

    init(_ number: UInt64) {
        notification = Int(number >> 8)
        kind = ResultKinds(rawValue: UInt8(truncatingIfNeeded: number))
    }

    var number: UInt64 { UInt64(notification) << 8 | UInt64(kind.rawValue) }
}

extension DropReason {
    /// True for a fault of the record; what merely came too late is no fault.
    var leavesDeadLetter: Bool {
        self != .expired && self != .duplicate && self != .filtered
    }
}
