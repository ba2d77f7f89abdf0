internal import APNs
internal import Configuration
internal import Delivery
internal import Engine

extension BridgeStatus.Connector {
    /// What is wrong with the connector as a whole; `wallClock` is in milliseconds since 1970.
    func problems(
        _ workers: [BridgeStatus.Reading.Worker], at wallClock: Int64
    ) -> [StatusProblem] {
        var found = [loginProblem(at: wallClock)].compactMap(\.self)
        switch state {
        case .running, .stopping: break
        case .starting:
            found.append(
                StatusProblem(
                    kind: .starting, connector: name, message: "not started yet",
                    remedy: "Wait: Kafka and APNs are checked until startup_deadline. The log says"
                        + " what it waits for."))
        case .waiting:
            found.append(
                StatusProblem(
                    kind: .waiting, connector: name,
                    message: "the group is new: \(awaits?.message ?? "everything") would be sent",
                    remedy: "To send them, POST /connectors/\(name)/begin. Else correct"
                        + " source.group and reload, or give the group offsets."))
        case .failed:
            let remedy = problem?.remedy.map { "To fix it: \($0). " } ?? ""
            found.append(
                StatusProblem(
                    kind: .failed, connector: name,
                    message: "failed to start: \(problem?.message ?? "see the log")",
                    remedy: remedy + "It is tried again once a minute, and at once by a reload:"
                        + " POST /reload or SIGHUP."))
        }
        if isPaused {
            found.append(
                StatusProblem(
                    kind: .paused, connector: name, message: "paused by an operator",
                    remedy: "\(held(workers)). Its other records wait in Kafka. Resume it when the"
                        + " reason for the pause is gone."))
        }
        return found
    }

    /// What becomes of the pushes of the connector that were taken before it was paused.
    private func held(_ workers: [BridgeStatus.Reading.Worker]) -> String {
        let figures = workers.filter { $0.worker.connector == name }.compactMap(\.figures)
        let sent = figures.reduce(0) { $0 + $1.openRequests }
        let waiting = figures.reduce(0) { $0 + $1.pushesWaiting }
        return "\(sent) of its pushes are in flight and end; \(waiting) that were taken wait"
    }
}

extension BridgeStatus.Reading.Worker {
    /// What is wrong with a worker; `wallClock` is in milliseconds since 1970.
    func problems(at wallClock: Int64) -> [StatusProblem] {
        guard let figures else {
            guard stage == .restarting else { return faultProblems }
            let stopped = problem(
                .notRunning, "not running",
                "It restarts by itself. The log line 'worker failed; restarting' says why it"
                    + " ended.")
            return [stopped] + faultProblems
        }
        return states(figures) + connectionProblems + faultProblems
            + figures.state.suspendedApps.flatMap(problems)
            + certificates(at: wallClock).map(problem)
    }

    private func states(_ figures: WorkerFigures) -> [StatusProblem] {
        var found: [StatusProblem] = []
        if isUnresponsive {
            found.append(
                problem(
                    .notResponding, "not responding",
                    "/health is 503. Restart the process if nothing restarts it: nothing is lost."))
        }
        if let outage = figures.outage {
            found.append(
                problem(
                    .kafkaUnreachable, "Kafka unreachable; 0 of \(outage.brokers) brokers",
                    "Check that Kafka is running and reachable at \(worker.kafka). Nothing is lost,"
                        + " and reading resumes by itself."))
        }
        if let time = timeUnassigned {
            var problem = problem(
                .notAssigned, Self.unassigned, StatusProblem.sentence(Self.unassignedAction))
            problem.seconds = time.components.seconds
            found.append(problem)
        }
        if let doubt = figures.state.clockDoubt {
            var problem = problem(
                .clock, "the clock is in doubt: nothing expires, and no record is taken",
                "Check the machine's clock and its time service. It resumes by itself when the"
                    + " system calls the clock synchronized or it is set right. If it is right,"
                    + " release it: POST /connectors/\(worker.connector)/clock/release.")
            problem.seconds = doubt.components.seconds
            found.append(problem)
        }
        if let wait = figures.state.schemaWait, let detail = wait.detail {
            var problem = problem(
                .schema, "schemas of records cannot be looked up: their partitions are paused",
                "Check the schema registry, and schema_registry in the connector: 'apns-bridge"
                    + " doctor' asks it. Nothing is lost, and taking records resumes by itself."
                    + " Schema \(wait.schema): \(detail)")
            problem.seconds = wait.duration.components.seconds
            found.append(problem)
        }
        if let age = figures.state.oldestEventAge, age > Self.lateEvent {
            found.append(
                problem(
                    .eventsLate, "events older than five minutes are unfinished",
                    (latest(figures).map { "\($0.description). " } ?? "")
                        + StatusProblem.sentence(Self.lateAction)))
        }
        return found
    }

    /// Where the latest event waits.
    struct LateEvents: Equatable, CustomStringConvertible {
        var partition: TopicPartition
        /// The offset of the first record of the partition that is not done.
        var offset: Int64
        var openRecords: Int
        /// Why no more records are taken from the partition.
        var pauses: [PartitionState.Pause]
        /// Why most retries of the worker were necessary; nil if there was none.
        var retryReason: String?

        var description: String {
            let paused =
                pauses.isEmpty
                ? "" : ", and it is paused: " + pauses.map(\.rawValue).joined(separator: ", ")
            return "The oldest is at offset \(offset) of"
                + " \(partition.topic)/\(partition.partition) or later; \(openRecords) records of"
                + " that partition are not done\(paused)"
                + (retryReason.map { "; most retries so far are for \($0)" } ?? "")
        }
    }

    /// The partition with the oldest event that is not done.
    func latest(_ figures: WorkerFigures) -> LateEvents? {
        let oldest = figures.partitions.max {
            $0.oldestEventAge ?? -1 < $1.oldestEventAge ?? -1
        }
        guard let oldest, oldest.oldestEventAge != nil, let next = oldest.next else { return nil }
        return LateEvents(
            partition: oldest.topicPartition, offset: next, openRecords: oldest.openRecords,
            pauses: oldest.pauses,
            retryReason: figures.pushes.retries.max { $0.value < $1.value }
                .map { $0.key.isEmpty ? "responses without a reason" : $0.key })
    }

    /// An event that is not done after this time is late, in milliseconds; the alert has the same
    /// limit.
    static let lateEvent: Int64 = 300_000

    static let lateAction =
        "see in the summary whether pushes wait for APNs (in_flight, waiting, retries), or events"
        + " in Kafka (lag); nothing is lost"

    /// What the status and the log say of a group that assigns no partitions.
    static let unassigned = "the group has assigned no partitions"

    static let unassignedAction =
        "check that all brokers run, because one of them coordinates the group, and that no other"
        + " program is a member of it; nothing is lost, and nothing is read meanwhile"

    /// One problem if no app has a connection for a reason of the network, else one for each app
    /// without.
    var connectionProblems: [StatusProblem] {
        guard let figures else { return [] }
        let apart = zip(worker.apps, figures.apps).filter { $1.ready == 0 }
        if figures.connections == 0, !apart.contains(where: \.1.isCertificateRejected) {
            let outage = apart.compactMap(\.1.outage).first
            return [unconnected("no connection to APNs", outage, figures)]
        }
        return apart.map { app, connections in
            let message = "no connection to APNs for \(app)"
            var problem =
                connections.isCertificateRejected
                ? problem(
                    .notConnected, "\(message): it rejects the client certificate",
                    Self.checkCertificate)
                : unconnected(message, connections.outage, figures)
            problem.app = app
            return problem
        }
    }

    private func unconnected(
        _ message: String, _ outage: ConnectionOutage?, _ figures: WorkerFigures
    ) -> StatusProblem {
        let cause = outage.map { ": \($0.cause.step)" } ?? ""
        let detail = outage.map { " The last attempt: \($0.detail)." } ?? ""
        var problem = problem(.notConnected, message + cause, Self.checkNetwork + detail)
        problem.seconds = outage.map { (figures.time - $0.since).wholeSeconds }
        return problem
    }

    private static let checkNetwork =
        "Check the network, the proxy and the port: 'apns-bridge doctor' names the step that fails."
        + " Nothing is lost, and sending resumes by itself."

    private static let checkCertificate =
        StatusProblem.sentence(ConnectionFailure.Cause.rejectedCertificateRemedy)
        + " Nothing is lost, and sending resumes by itself."

    private func problem(_ certificate: ExpiringCertificate) -> StatusProblem {
        var problem = problem(
            certificate.kind, certificate.message,
            StatusProblem.sentence(ExpiringCertificate.action))
        problem.app = certificate.app
        return problem
    }

    private func problems(_ app: EngineState.SuspendedApp) -> [StatusProblem] {
        var found: [StatusProblem] = []
        if app.isGuarded {
            found.append(
                problem(
                    .guarded,
                    "sending suspended for \(app.name): too many device tokens are unregistered or"
                        + " suspect",
                    "Check bundle_id, environment and the source of the device tokens. Release the"
                        + " guard only if the responses of APNs are right.", app))
        }
        if app.refusal != nil || !app.isGuarded {
            let response = app.refusal.map { ": APNs responds \($0.response)" } ?? ""
            let meaning = app.refusal.map { "\($0.meaning) " } ?? ""
            found.append(
                problem(
                    .suspended, "sending suspended for \(app.queueName)\(response)",
                    meaning + "Nothing is lost, and sending resumes when a probe succeeds.", app))
        }
        return found
    }

    private func problem(
        _ kind: StatusProblem.Kind, _ message: String, _ remedy: String,
        _ app: EngineState.SuspendedApp? = nil
    ) -> StatusProblem {
        StatusProblem(
            kind: kind, connector: worker.connector, app: app?.name, workers: [worker.number],
            seconds: app?.duration.components.seconds, message: message, remedy: remedy)
    }
}
