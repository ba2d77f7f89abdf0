internal import APNs
internal import Delivery
internal import Engine
internal import EventLoop
internal import Telemetry

/// How a worker ends, and what it logs.
extension Worker where Machine: ~Copyable, Source: ~Copyable, Sink: ~Copyable {
    /// Stops taking records. What has not begun stays uncommitted for its next reader.
    mutating func startDrain() {
        guard phase == .running else { return }
        let length = engine.settings.shutdownDeadline
        phase = .draining(deadline: engine.now + length)
        logger.info(
            "draining",
            metadata: [
                "open_records": .number(engine.openRecords),
                "in_flight": .number(pools.openRequests),
            ])
        engine.drain(until: engine.now + length / 4 * 3)
        sink.flush()
    }

    mutating func drain() {
        // Checked at the end of the turn, so that none of its steps uses what is closed.
        if failure != nil, phase != .ended { return leave() }
        switch phase {
        case .running, .ended: return
        case .draining(let deadline):
            if let closing = engine.drainDeadline, engine.now >= closing { closeConnections() }
            guard engine.openRecords == 0 || engine.now >= deadline else { return }
            guard startLastCommit(by: deadline) else { return }
            leaveIfCommitted(by: deadline)
        case .committing(let deadline): leaveIfCommitted(by: deadline)
        }
    }

    /// False when the last commit must be postponed.
    private mutating func startLastCommit(by deadline: Instant) -> Bool {
        // A commit that is still in progress could be stored after the last one and undo it.
        let mayCommit = engine.areCommitsDone && source.mayCommit
        guard mayCommit || engine.isCommitted || engine.now >= deadline else { return false }
        // While the group joins, a commit would wait until that is over and then be refused: that
        // this worker ended in good order is not worth it.
        if source.mayCommit { commit(engine.takeCommits()) }
        phase = .committing(deadline: max(deadline, engine.now + .seconds(1)))
        return true
    }

    /// Leaves in the same turn when there is nothing to commit.
    private mutating func leaveIfCommitted(by deadline: Instant) {
        guard engine.isCommitted || engine.now >= deadline else { return }
        leave()
    }

    /// What has no response by now is in doubt, and is reported as such.
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
                metadata: [
                    "open_records": .number(engine.openRecords),
                    "action": .string(
                        "raise shutdown_deadline if this happens often: some pushes may be sent"
                            + " twice"),
                ])
        }
        if !source.close() {
            logger.warning(
                "closed without leaving the group",
                metadata: [
                    "action": .string(
                        "nothing is lost; other members get the partitions after"
                            + " session.timeout.ms")
                ])
        }
        pools.close(&kernel)
        sink.close()
        phase = .ended
    }

    /// Logs a Kafka failure once; a fatal one ends this worker. An outage of Kafka has lines of
    /// its own, see ``RunningLog``, and so has a login without a token.
    mutating func note(_ failure: KafkaFailure) {
        if failure.isAboutConnection || failure.waitsForLogin, !failure.isFatal {
            logger.debug(
                "connection to Kafka failed",
                metadata: ["code": .string(failure.code), "detail": .string(failure.message)])
        } else if let remedy = failure.remedy(group: engine.settings.group) {
            noteRefusal(failure, remedy)
        } else {
            warn(
                "Kafka reported a problem", about: failure.message,
                failure.remedy(unlessFenced: "check Kafka and the network if it lasts"),
                ["code": .string(failure.code)])
        }
        if failure.isFatal, self.failure == nil { self.failure = failure }
    }

    private mutating func noteRefusal(_ failure: KafkaFailure, _ remedy: String) {
        guard faults.isNewRefusal("\(failure.code) \(failure.refusal)", at: engine.now) else {
            return
        }
        logger.error(
            "Kafka denied a permission or the login",
            metadata: [
                "code": .string(failure.code), "detail": .string(failure.message),
                "action": .string(remedy),
            ])
    }

    /// Logs why a connection to APNs could not be opened, or broke; once if it is repeated.
    mutating func note(_ failure: ConnectionFailure, _ route: Int) {
        let remedy = failure.cause.remedy(for: pools.credentialKind(route: route))
        faults.failed(failure, route, isAboutCertificate: remedy != nil, at: engine.now)
        guard let remedy else { return noteLoss(failure, route) }
        // Once for all addresses of the host.
        guard faults.isNew("\(failure.cause) of route \(route)") else { return }
        var metadata = apps(on: route)
        metadata["detail"] = .string(failure.message)
        metadata["action"] = .string(remedy)
        logger.error(
            failure.cause == .credential
                ? "no connection to APNs: it rejects the client certificate"
                : "no connection to APNs: perhaps it rejects the client certificate",
            metadata: metadata)
    }

    /// One connection of several is a loss of throughput only.
    private mutating func noteLoss(_ failure: ConnectionFailure, _ route: Int) {
        let ready = pools.readyConnections(route: route)
        warn(
            ready == 0 ? "no connection to APNs" : "connection to APNs lost; others are open",
            about: failure.message,
            ready == 0
                ? "run 'apns-bridge doctor' if it lasts: it names the step that fails"
                : "find out what cuts connections if it happens often: a proxy, a NAT, a firewall",
            ["open": .number(ready), "connections": .number(pools.connections(route: route))])
    }

    /// Logs a warning and what to do; one that repeats an earlier one is a detail.
    mutating func warn(
        _ message: String, about detail: String, _ action: String, _ more: Logger.Metadata = [:]
    ) {
        var metadata = more
        metadata["detail"] = .string(detail)
        metadata["action"] = .string(action)
        guard faults.isNew("\(message) \(detail)") else {
            return logger.debug(message, metadata: metadata)
        }
        logger.warning(message, metadata: metadata)
    }

    /// Writes the engine's notices to the log.
    mutating func logNotices() {
        for notice in engine.takeNotices() {
            let line = NoticeLine(notice)
            logger.log(line.level, line.message, metadata: line.fields)
        }
    }
}
