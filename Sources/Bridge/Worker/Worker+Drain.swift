internal import APNs
internal import Delivery
internal import EventLoop
internal import Telemetry

/// How a worker ends, and what it says.
extension Worker where Machine: ~Copyable, Source: ~Copyable, Sink: ~Copyable {
    /// Stops taking. What is not on its way stays uncommitted, for whoever reads it next.
    mutating func startDrain() {
        guard phase == .running else { return }
        let length = core.settings.shutdownDeadline
        let goodbye = core.now + length / 4 * 3
        phase = .draining(goodbye: goodbye, deadline: core.now + length)
        logger.info(
            "draining", metadata: ["in_flight": .integer(Int64(core.records.count))])
        flow.stop()
        core.drain(until: goodbye)
        sink.flush()
    }

    mutating func drain() {
        // At the end of the turn, so that none of its steps meets what is closed.
        if failure != nil, phase != .ended { return leave() }
        switch phase {
        case .running, .ended: return
        case .draining(let goodbye, let deadline):
            if core.now >= goodbye, !core.isClosing { sayGoodbye() }
            guard core.records.count == 0 || core.now >= deadline else { return }
            // An earlier commit that is underway could be stored after the last one, and undo it.
            let mayCommit = commits.inFlight == 0 && source.mayCommit
            guard mayCommit || core.now >= deadline else { return }
            commit(core.takeCommits())
            phase = .committing(deadline: max(deadline, core.now + 1_000_000_000))
        case .committing(let deadline):
            let isCommitted = commits.inFlight == 0 && !core.isDirty
            guard isCommitted || core.now >= deadline else { return }
            leave()
        }
    }

    /// What has no answer by now is in doubt, and is reported so.
    private mutating func sayGoodbye() {
        pools.close(&kernel)
        readAnswers()
        core.close()
        sendPushes()
    }

    private mutating func leave() {
        if core.records.count > 0 {
            logger.warning(
                "ended before everything was reported; it will be read again",
                metadata: ["in_flight": .integer(Int64(core.records.count))])
        }
        core.letGo()
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

    /// Hands the core's notices to the log.
    mutating func speak() {
        guard !core.notices.isEmpty else { return }
        for notice in core.notices {
            let metadata = Logger.Metadata(
                notice.details.map { ($0.name, .string($0.value)) }, uniquingKeysWith: { $1 })
            switch notice.level {
            case .info: logger.info(notice.message, metadata: metadata)
            case .warning: logger.warning(notice.message, metadata: metadata)
            case .error: logger.error(notice.message, metadata: metadata)
            }
        }
        core.notices.removeAll(keepingCapacity: true)
    }
}
