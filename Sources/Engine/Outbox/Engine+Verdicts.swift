internal import APNs
internal import Delivery
internal import EventLoop

/// From a verdict to the result records that Kafka is owed.
extension Engine {
    /// Ends a push without sending it, or without sending it again.
    mutating func finish(_ id: PushID, dropped reason: DropReason) {
        finish(
            id, .dropped, reason: reason.rawValue,
            owing: reason.leavesDeadLetter ? .deadLetter : [])
    }

    /// Sets the verdict, and queues the successor.
    mutating func finish(
        _ id: PushID, _ verdict: Verdict, status: Int = 0, reason: String? = nil,
        isSuspect: Bool = false, owing: ResultKinds = []
    ) {
        count(verdict)
        if verdict == .accepted || verdict == .unknown { noteArrival(id) }
        if settings.logDetail == .verdicts { trace(id, verdict, status, reason) }
        if let reason { pushes.change(id) { $0.reason = reason } }
        noteDecision(id)
        records[pushes[id].record.slot].hasVerdict = true
        let successor = orderingKeys.remove(id)
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
        queue(successor)
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
        case .accepted: counters.accepted += 1
        case .rejected: counters.rejected += 1
        case .dropped: counters.dropped += 1
        case .unknown: counters.unknown += 1
        }
    }

    /// Adds result records to the outbox, unless the guard withholds them.
    mutating func owe(_ id: PushID, _ report: Push.Report) {
        guard !mustWithhold(report, pushes[id].app) else { return withhold(id, report) }
        pushes.transition(id, to: .reporting(report))
        outbox.value.append(id)
    }

    /// Publishes rejected records again.
    mutating func offerAgain(_ id: PushID) {
        guard pushes.isCurrent(id), case .reporting(var report) = pushes[id].state,
            !report.refused.isEmpty
        else { return }
        report.owed.formUnion(report.refused)
        report.refused = []
        owe(id, report)
    }
}
