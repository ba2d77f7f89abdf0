internal import APNs
internal import Delivery
internal import Engine
internal import EventLoop
internal import Mapping
internal import Telemetry

/// The steps of a turn, in order.
extension Worker where Machine: ~Copyable, Source: ~Copyable, Sink: ~Copyable {
    mutating func wait() {
        engine.setTime(kernel.now, wallClock: kernel.wallClock)
        let deadline = findNextDeadline()
        Self.wait(&kernel, until: deadline, &wakeups)
        for wakeup in wakeups { pools.wake(wakeup, &kernel) }
        engine.setTime(kernel.now, wallClock: kernel.wallClock)
        watchClock()
        pools.expire(&kernel)
    }

    /// Nothing may expire by a clock that has just been set, unless somebody vouches for it.
    private mutating func watchClock() {
        guard engine.mustJudgeClock(bootTime: kernel.bootTime) else { return }
        engine.judgeClock(
            isSynchronized: kernel.isClockSynchronized, brokerTime: sink.brokerTime)
    }

    /// Wake-ups of mailbox, source and sink are not recorded: every turn checks all three.
    private static func wait(
        _ kernel: inout Machine, until deadline: Instant, _ wakeups: inout [Wakeup]
    ) {
        wakeups.removeAll(keepingCapacity: true)
        kernel.wait(until: deadline) { wakeup in
            if wakeup.token >= WorkerToken.connections { wakeups.append(wakeup) }
        }
    }

    // Mutating, because a property would copy the engine.
    private mutating func findNextDeadline() -> Instant {
        var next = engine.nextTake
        if let deadline = engine.nextDeadline { next = min(next, deadline) }
        if let deadline = pools.nextDeadline { next = min(next, deadline) }
        if let commit = engine.nextCommit { next = min(next, commit) }
        if board != nil, !areFiguresCurrent { next = min(next, nextFigures) }
        switch phase {
        case .running, .ended: break
        case .draining(let deadline):
            next = min(next, engine.drainDeadline ?? deadline)
            if engine.openRecords == 0 { next = min(next, engine.now + Self.commitRetry) }
        case .committing(let deadline): next = min(next, deadline)
        }
        return next
    }

    /// How soon to retry a last commit that the source could not accept.
    private static var commitRetry: Duration { .milliseconds(20) }

    mutating func receiveMessages() {
        var messages: [WorkerMessage] = []
        mailbox.drain { messages.append($0) }
        for message in messages { handle(message) }
        engine.setLogDetail(Self.detail(for: logger.level))
    }

    private mutating func handle(_ message: WorkerMessage) {
        switch message {
        case .drain: startDrain()
        case .release(let app, let count):
            let released = engine.releaseGuards(of: app)
            count?.add(released)
            if app == nil, engine.releaseClock() { count?.add(1) }
            nextFigures = .distantPast
        case .releaseClock:
            engine.releaseClock()
            nextFigures = .distantPast
        case .renew(let number, let route, let result): renew(number, route, result)
        case .pause(let isPaused):
            guard isPaused != engine.isPaused else { return }
            engine.setPaused(isPaused)
            logger.info(isPaused ? "paused by an operator" : "resumed by an operator")
            nextFigures = .distantPast
        case .schema(let id, let result):
            engine.lookedUp(id, result)
            nextFigures = .distantPast
        case .look: break
        case .report:
            report(.report(engine.counters))
            nextFigures = .distantPast
        }
    }

    /// What the engine reports about single pushes at a level of the log.
    static func detail(for level: LogLevel) -> EngineSettings.LogDetail {
        level <= .trace ? .verdicts : level <= .debug ? .retries : .none
    }

    mutating func readResponses() {
        while true {
            while let (tag, credential) = pools.nextAccepted() {
                engine.accepted(PushID(rawValue: tag), signedWith: credential)
            }
            guard let (route, event) = pools.nextEvent() else { return }
            switch event {
            case .responded(let tag, let response, let credential):
                engine.responded(PushID(rawValue: tag), response, signedWith: credential)
            case .notSent(let tag): engine.notSent(PushID(rawValue: tag))
            case .unsendable(let tag, let reason):
                engine.unsendable(PushID(rawValue: tag), reason)
            case .inDoubt(let tag, let reason):
                engine.inDoubt(PushID(rawValue: tag), reason: reason)
            case .unacceptable(let tag, let reason):
                warn(
                    "APNs rejected a request as malformed; report this as a bug", about: reason,
                    "report it with the event: what the bridge sends is always valid")
                engine.refusedAsMalformed(PushID(rawValue: tag), reason: reason)
            case .connected(let address, let isResumed):
                faults.connected(route)
                logger.info(
                    "connected to APNs",
                    metadata: [
                        "address": .string("\(address)"),
                        "tls": .string(isResumed ? "resumed" : "new"),
                    ])
                report(.connected(address: "\(address)"))
            case .renewed(let version): renewed(route, version)
            case .renewalRefused(let refusal): renewalRefused(refusal, route)
            case .failed(let failure): note(failure, route)
            case .credentialRefused(let reason, let credential):
                engine.credentialRefused(route: route, reason: reason, signedWith: credential)
            }
        }
    }

    /// A credential that APNs has refused may have been revoked: Apple asks for all its connections
    /// to be closed then.
    private mutating func replaceRefusedConnections() {
        for route in engine.takeRefusedRoutes() {
            pools.replaceConnections(route: route, &kernel)
        }
    }

    mutating func takeAcknowledgements() {
        Self.takeAcknowledgements(&sink, &engine)
        if let failure = sink.nextFailure() { note(failure) }
    }

    private static func takeAcknowledgements(_ sink: inout Sink, _ engine: inout Engine) {
        sink.acknowledgements { engine.acknowledged(Ticket(rawValue: $0), $1) }
    }

    mutating func takeRecords() {
        engine.regulateIntake()
        applyFlowChanges()
        // A few at a time: the number of pushes in them determines how many more fit.
        var total = 0
        let end = kernel.clock + Self.maxTakeTime
        while let limit = engine.takeLimit(taken: total) {
            var isLate = false
            let taken = Self.takeRecords(
                &source, &engine, limit: limit,
                while: {
                    isLate = kernel.clock >= end
                    return !isLate
                })
            // After a late one there may be more.
            engine.asked(limit: isLate ? taken : limit, taken: taken)
            total += taken
            applyFlowChanges()
            guard limit > 0, taken == limit, !isLate else { break }
        }
        while let failure = source.nextFailure() {
            faults.failed(failure, group: engine.settings.group)
            note(failure)
        }
    }

    /// Schemas are looked up elsewhere: the results come through the mailbox.
    mutating func askForSchemas() {
        for id in engine.takeSchemaQuestions() {
            guard let schemas else {
                engine.lookedUp(id, .unavailable("the connector has no schema_registry"))
                continue
            }
            schemas.ask(id) { [mailbox] in mailbox.post(.schema(id, $0)) }
        }
    }

    /// How long a turn takes records, so that a few expensive ones do not keep it from the rest.
    private static var maxTakeTime: Duration { .milliseconds(50) }

    private static func takeRecords(
        _ source: inout Source, _ engine: inout Engine, limit: Int, while mayContinue: () -> Bool
    ) -> Int {
        source.take(atMost: limit, while: mayContinue) { engine.take($0) }
    }

    mutating func followAssignment() {
        while let change = source.nextChange() {
            switch change {
            case .assigned(let partitions): assigned(partitions)
            case .revoking(let ids):
                logger.info(
                    "partitions revoked", metadata: Self.names(engine.topicPartitions(ids)))
                engine.revoking(ids)
            case .lost(let ids): lost(ids)
            case .replaced(let id, let partition):
                engine.replaced(id, by: partition)
                report(.assigned([partition.topicPartition]))
            }
        }
        if awaitsAssignmentSince != nil, source.awaitsTopics { assigned([]) }
        applyFlowChanges()
    }

    /// The group has assigned partitions; an empty list is one in which they went to others.
    private mutating func assigned(_ partitions: [AssignedPartition]) {
        let isFirst = !hasJoined
        hasJoined = true
        awaitsAssignmentSince = nil
        engine.assigned(partitions)
        guard !partitions.isEmpty else {
            let level: LogLevel = isFirst ? .info : .debug
            return logger.log(level, "assigned", metadata: Self.names([]))
        }
        logger.info("assigned", metadata: Self.names(partitions.map(\.topicPartition)))
        report(.assigned(partitions.map(\.topicPartition)))
    }

    /// Passes changes of partition flow to the source.
    private mutating func applyFlowChanges() {
        guard let change = engine.takeFlowChange() else { return }
        if !change.pause.isEmpty {
            logger.debug(
                "partitions paused", metadata: Self.names(engine.topicPartitions(change.pause)))
            source.pause(change.pause)
        }
        if !change.resume.isEmpty {
            logger.debug(
                "partitions resumed", metadata: Self.names(engine.topicPartitions(change.resume)))
            source.resume(change.resume)
        }
    }

    static func names(_ partitions: [TopicPartition]) -> Logger.Metadata {
        ["partitions": .strings(partitions.map { "\($0.topic)/\($0.partition)" }.sorted())]
    }

    mutating func sendPushes() {
        engine.startSending()
        while let id = engine.nextToSend() {
            guard !engine.awaitsCommit(id) else {
                askForCommit(before: id)
                continue
            }
            let isTaken = Self.send(
                id, isProbe: engine.isProbe(id), of: &engine, &pools, &kernel)
            if isTaken { engine.sent(id) } else { engine.foundNoRoom(for: id) }
            if isTaken, engine.isTracing { traceRequest(id) }
        }
        replaceRefusedConnections()
        pools.flush(&kernel)
        readResponses()
    }

    private mutating func traceRequest(_ id: PushID) {
        guard let app = engine.tracedApp(of: id) else { return }
        engine.traceRequest(id, pools.lastRequest(app: app))
    }

    /// Hands finished spans to the exporter.
    mutating func passOnSpans() {
        guard let spans else { return }
        let (found, dropped) = engine.takeSpans()
        if !found.isEmpty || dropped > 0 { spans.add(found, dropped: dropped) }
    }

    private static func send(
        _ id: PushID, isProbe: Bool, of engine: inout Engine, _ pools: inout APNsPools,
        _ kernel: inout Machine
    ) -> Bool {
        engine.withNotification(of: id) {
            isProbe
                ? pools.sendProbe($0, id: $1, tag: id.rawValue, &kernel)
                : pools.send($0, id: $1, tag: id.rawValue, &kernel)
        }
    }

    mutating func publishResults() {
        updatePartitionCounts()
        while let ticket = engine.writeNextResult() {
            let result = engine.withResult { sink.publish($0, ticket: ticket.rawValue) }
            switch result {
            case .queued: engine.published(ticket)
            case .full: return
            case .tooLarge:
                engine.published(ticket)
                engine.acknowledged(ticket, .tooLarge)
            case .failed(let failure):
                engine.published(ticket)
                engine.acknowledged(ticket, .failed(failure))
            }
        }
    }

    /// Updates the engine's partition counts about once a second, and in each turn until all are
    /// known: outcomes go by their keys until then.
    private mutating func updatePartitionCounts() {
        guard engine.now >= nextPartitionCountUpdate else { return }
        var isComplete = true
        for topic in engine.topicsToCount {
            let count = sink.partitionCount(of: topic)
            if count == nil { isComplete = false }
            engine.setPartitionCount(count, of: topic)
        }
        if isComplete {
            nextPartitionCountUpdate = engine.now + .seconds(1)
        } else if engine.settings.hasPatterns {
            // There may be many topics, and one that was deleted has no partitions.
            nextPartitionCountUpdate = engine.now + .milliseconds(50)
        }
    }

    mutating func commitOffsets() {
        while let report = source.nextCommitReport() {
            engine.committed(report)
            if let failure = report.failure {
                let partitions = engine.topicPartitions(report.commits.map(\.assignment))
                // Such a topic may be deleted: then the group takes its partitions away.
                if failure.isAboutMissingTopic, engine.readsByPattern(partitions) { continue }
                warn(
                    "offsets not committed", about: failure.detail,
                    failure.remedy(
                        unlessFenced: "check the group and the brokers if it lasts: commits are"
                            + " repeated, and what they cover is sent again after a crash"),
                    Self.names(partitions))
            }
        }
        guard engine.shouldCommit else { return }
        guard source.mayCommit else { return engine.postponeCommit() }
        commit(engine.takeCommits())
    }

    mutating func commit(_ offsets: [OffsetCommit]) {
        guard !offsets.isEmpty else { return }
        source.commit(offsets)
    }

    mutating func handOver() {
        while let handover = engine.takeHandover() {
            switch handover {
            case .commit(let offsets):
                let partitions = engine.topicPartitions(offsets.map(\.assignment))
                logger.debug(
                    "last commit of revoked partitions", metadata: Self.names(partitions))
                commit(offsets)
            case .release(let ids):
                logger.debug("revoked partitions given up", metadata: ["count": .number(ids.count)])
                source.release(ids)
            }
        }
    }
}
