internal import APNs
internal import Delivery
internal import Engine
internal import EventLoop
internal import Telemetry

/// How a worker ends, and what it says.
extension Worker where Machine: ~Copyable, Source: ~Copyable, Sink: ~Copyable {
    /// Stops taking. What is not on its way stays uncommitted, for whoever reads it next.
    mutating func startDrain() {
        guard phase == .running else { return }
        let length = engine.settings.shutdownDeadline
        let closing = engine.now + length / 4 * 3
        phase = .draining(closing: closing, deadline: engine.now + length)
        logger.info(
            "draining", metadata: ["in_flight": .integer(Int64(engine.openRecords))])
        engine.drain(until: closing)
        sink.flush()
    }

    mutating func drain() {
        // At the end of the turn, so that none of its steps meets what is closed.
        if failure != nil, phase != .ended { return leave() }
        switch phase {
        case .running, .ended: return
        case .draining(let closing, let deadline):
            if engine.now >= closing, !engine.isClosed { closeConnections() }
            guard engine.openRecords == 0 || engine.now >= deadline else { return }
            guard startLastCommit(by: deadline) else { return }
            leaveIfCommitted(by: deadline)
        case .committing(let deadline): leaveIfCommitted(by: deadline)
        }
    }

    /// False when the last commit has to wait.
    private mutating func startLastCommit(by deadline: Instant) -> Bool {
        // An earlier commit that is underway could be stored after the last one, and undo it.
        let mayCommit = engine.isCommitted || engine.areCommitsDone && source.mayCommit
        guard mayCommit || engine.now >= deadline else { return false }
        commit(engine.takeCommits())
        phase = .committing(deadline: max(deadline, engine.now + .seconds(1)))
        return true
    }

    /// With nothing to commit it leaves in the same turn.
    private mutating func leaveIfCommitted(by deadline: Instant) {
        guard engine.isCommitted || engine.now >= deadline else { return }
        leave()
    }

    /// What has no response by now is in doubt, and is reported so.
    private mutating func closeConnections() {
        pools.close(&kernel)
        readResponses()
        engine.close()
        sendPushes()
    }

    private mutating func leave() {
        if engine.openRecords > 0 {
            logger.warning(
                "ended before everything was reported; it will be read again",
                metadata: ["in_flight": .integer(Int64(engine.openRecords))])
        }
        source.close()
        pools.close(&kernel)
        sink.close()
        phase = .ended
    }

    /// A failure of Kafka: said once, and the end of this worker when it cannot go on.
    mutating func note(_ failure: KafkaFailure) {
        complain("Kafka: \(failure.code): \(failure.message)")
        if failure.isFatal, self.failure == nil { self.failure = failure }
    }

    /// Says something once in a row.
    mutating func complain(_ words: String) {
        guard words != lastComplaint else { return }
        lastComplaint = words
        logger.warning(words)
    }

    /// Hands the engine's notices to the log.
    mutating func speak() {
        for notice in engine.takeNotices() {
            let metadata = Logger.Metadata(
                notice.fields.map { ($0.name, Self.value($0.value)) }, uniquingKeysWith: { $1 })
            switch notice.level {
            case .info: logger.info(notice.message, metadata: metadata)
            case .warning: logger.warning(notice.message, metadata: metadata)
            case .error: logger.error(notice.message, metadata: metadata)
            }
        }
    }

    private static func value(_ value: Notice.Value) -> MetadataValue {
        switch value {
        case .text(let text): .string(text)
        case .number(let number): .integer(Int64(number))
        case .list(let texts): .string(texts.joined(separator: " "))
        }
    }
}
