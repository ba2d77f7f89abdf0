internal import APNs
internal import Delivery
internal import EventLoop
internal import Telemetry

/// The steps of a turn, in their order.
extension Worker where Machine: ~Copyable, Source: ~Copyable, Sink: ~Copyable {
    mutating func wait() {
        core.now = kernel.now
        let deadline = nextDeadline
        Self.wait(&kernel, until: deadline, &wakeups)
        for wakeup in wakeups { pools.wake(wakeup, &kernel) }
        core.now = kernel.now
        core.wallClock = kernel.wallClock
        pools.expire(&kernel)
    }

    /// Wake-ups of mailbox, source and sink need no mark: all three are looked at each turn.
    private static func wait(
        _ kernel: inout Machine, until deadline: UInt64, _ wakeups: inout [Wakeup]
    ) {
        wakeups.removeAll(keepingCapacity: true)
        kernel.wait(until: deadline) { wakeup in
            if wakeup.token >= WorkerToken.connections { wakeups.append(wakeup) }
        }
    }

    private var nextDeadline: UInt64 {
        var next = flow.nextCall(room: room, now: core.now)
        if let deadline = core.nextDeadline { next = min(next, deadline) }
        if let deadline = pools.nextDeadline { next = min(next, deadline) }
        if core.isDirty, commits.inFlight == 0 { next = min(next, commits.next) }
        switch phase {
        case .running, .ended: break
        case .draining(let goodbye, let deadline):
            next = min(next, goodbye > core.now ? goodbye : deadline)
            if core.records.count == 0 { next = min(next, core.now + CommitPace.retry) }
        case .committing(let deadline): next = min(next, deadline)
        }
        return next
    }

    /// How many records may be taken now; none any more when the worker is to end.
    private var room: Int { phase == .running ? core.window.room : 0 }

    mutating func receiveMail() {
        var shallDrain = false
        var shallReport = false
        var shallRelease = false
        var renewals: [(Int, APNsRoute)] = []
        mailbox.drain { command in
            switch command {
            case .drain: shallDrain = true
            case .report: shallReport = true
            case .release: shallRelease = true
            case .renew(let number, let route): renewals.append((number, route))
            }
        }
        for (number, route) in renewals { renew(number, route) }
        if shallRelease { core.overruleGuards() }
        if shallReport { tell(.report(core.counters)) }
        if shallDrain { startDrain() }
    }

    mutating func readAnswers() {
        while let (route, event) = pools.nextEvent() {
            switch event {
            case .responded(let tag, let answer, _): core.answered(Int(tag), answer)
            case .notSent(let tag): core.notSent(Int(tag))
            case .unsendable(let tag, let reason): core.unsendable(Int(tag), reason)
            case .inDoubt(let tag, let reason): core.inDoubt(Int(tag), reason: reason)
            case .unacceptable(let tag, let reason):
                complain("APNs does not take a request: \(reason)")
                core.unacceptable(Int(tag), reason: reason)
            case .connected(let address, let isResumed):
                lastComplaint = ""
                logger.info(
                    "connected to APNs",
                    metadata: [
                        "address": .string("\(address)"),
                        "tls": .string(isResumed ? "resumed" : "new"),
                    ])
                tell(.connected(address: "\(address)"))
            case .renewed: renewed(route)
            case .renewalRefused(let refusal): renewalRefused(refusal, route)
            case .failed(let failure): complain("no connection to APNs at \(failure.words)")
            case .credentialRefused(let reason, _):
                core.credentialRefused(route: route, reason: reason)
            }
        }
    }

    mutating func takeAcknowledgements() {
        Self.takeAcknowledgements(&sink, &core)
        if let failure = sink.nextFailure() { note(failure) }
    }

    private static func takeAcknowledgements(_ sink: inout Sink, _ core: inout WorkerCore) {
        sink.acknowledgements { core.acknowledged(Ticket($0), $1) }
    }

    mutating func takeRecords() {
        if phase == .running {
            switch flow.change(room: room, of: core.settings.maxInFlight, now: core.now) {
            case .none: break
            case .pause: core.pauseAll(true)
            case .resume: core.pauseAll(false)
            }
        }
        steerFlow()
        // A few at a time: what they turn out to hold says how many more there is room for.
        var total = 0
        repeat {
            let limit = min(RecordFlow.step, flow.limit(room: core.window.batch))
            let taken = Self.takeRecords(&source, &core, limit: limit)
            flow.asked(limit: limit, taken: taken, now: core.now)
            total += taken
            steerFlow()
            guard limit > 0, taken == limit else { break }
        } while total < RecordFlow.batch
        while let failure = source.nextFailure() { note(failure) }
    }

    private static func takeRecords(
        _ source: inout Source, _ core: inout WorkerCore, limit: Int
    ) -> Int {
        source.take(atMost: limit) { core.take($0) }
    }

    mutating func followAssignment() {
        while let change = source.nextChange() {
            switch change {
            case .assigned(let partitions):
                core.assigned(partitions)
                logger.info("assigned", metadata: Self.names(partitions.map(\.topicPartition)))
                tell(.assigned(partitions.map(\.topicPartition)))
            case .revoking(let ids):
                logger.info("giving back", metadata: Self.names(core.topicPartitions(ids)))
                core.revoking(ids)
            case .lost(let ids):
                logger.warning("lost", metadata: Self.names(core.topicPartitions(ids)))
                core.lost(ids)
            case .replaced(let id, let partition):
                core.replaced(id, by: partition)
                tell(.assigned([partition.topicPartition]))
            }
        }
        steerFlow()
    }

    /// Tells the source which partitions are to flow, where that has changed.
    private mutating func steerFlow() {
        guard let change = core.takeFlowChange() else { return }
        if !change.pause.isEmpty { source.pause(change.pause) }
        if !change.resume.isEmpty { source.resume(change.resume) }
    }

    private static func names(_ partitions: [TopicPartition]) -> Logger.Metadata {
        let names = partitions.map { "\($0.topic)/\($0.partition)" }.sorted()
        return ["partitions": .string(names.joined(separator: " "))]
    }

    mutating func sendPushes() {
        core.lines.startTurn()
        while let place = core.nextToSend() {
            let isTaken = pools.send(
                core.notifications[place].notification, id: core.notifications[place].id,
                tag: UInt64(place), &kernel)
            if isTaken { core.sent(place) } else { core.foundNoRoom(for: place) }
        }
        pools.flush(&kernel)
        readAnswers()
    }

    mutating func publishResults() {
        while let ticket = core.nextResult() {
            switch sink.publish(core.writer.record, ticket: ticket.number) {
            case .queued: core.published(ticket)
            case .full: return
            case .tooLarge:
                core.published(ticket)
                core.acknowledged(ticket, .tooLarge)
            case .failed(let failure):
                core.published(ticket)
                core.acknowledged(ticket, .failed(failure))
            }
        }
    }

    mutating func commitOffsets() {
        while let report = source.nextCommitReport() {
            commits.ended()
            core.committed(report)
            if let failure = report.failure { complain("offsets not committed: \(failure.detail)") }
        }
        guard core.isDirty, commits.isDue(now: core.now) else { return }
        guard source.mayCommit else { return commits.postpone(now: core.now) }
        commit(core.takeCommits())
    }

    mutating func commit(_ offsets: [OffsetCommit]) {
        guard !offsets.isEmpty else { return }
        source.commit(offsets)
        commits.started(now: core.now)
    }

    mutating func handOver() {
        while let handover = core.nextHandover(commitsAreDone: commits.inFlight == 0) {
            switch handover {
            case .commit(let offsets): commit(offsets)
            case .giveUp(let ids): source.giveUp(ids)
            }
        }
    }
}
