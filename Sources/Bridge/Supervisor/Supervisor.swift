internal import APNs
public import Configuration
internal import Delivery
public import Engine
internal import EventLoop
internal import Kafka
public import Telemetry

/// Starts the workers of several connectors, restarts them when they fail, and drains them.
public actor Supervisor {
    let connectors: [Connector]
    let logger: Logger
    private let status: BridgeStatus
    private let summaryInterval: Duration?
    private let events: AsyncStream<WorkerEvent>.Continuation
    private var mailboxes: [(connector: String, mailbox: Mailbox<WorkerMessage>)] = []
    private var tokens: [String: ProviderTokens] = [:]
    /// The routes of each connector, by its name.
    private var routes: [String: [APNsRoute]] = [:]
    /// Ends the check that is in progress without a result.
    private var abandonCheck: (() -> Void)?
    private let creation: TopicCreation?
    private var isDraining = false
    private let pauses = RestartPauses()

    /// What the workers report, as it happens; for one reader only.
    public nonisolated let workerEvents: AsyncStream<WorkerEvent>

    /// Prepares to run connectors.
    ///
    /// `status` reports on them at any time. The log has a summary of each connector every
    /// `summaryInterval` in which anything happened; nil for none. With `creation` missing result
    /// topics are created.
    public init(
        _ connectors: [Connector], logger: Logger, status: BridgeStatus = BridgeStatus(),
        summaryInterval: Duration? = nil, creation: TopicCreation? = nil
    ) {
        self.creation = creation
        self.summaryInterval = summaryInterval
        self.connectors = connectors
        self.status = status
        self.logger = logger
        (workerEvents, events) = AsyncStream.makeStream(
            of: WorkerEvent.self, bufferingPolicy: .bufferingNewest(1024))
    }

    /// Checks Kafka and APNs, then runs every worker until ``drain()``; returns the totals.
    ///
    /// Throws before anything is consumed if a connector cannot be started.
    public func run() async throws(StartFailure) -> EngineCounters {
        defer { events.finish() }
        var plans: [WorkerPlan] = []
        guard let clusters = try await checkKafka() else { return EngineCounters() }
        for (connector, cluster) in zip(connectors, clusters) {
            plans += try await prepare(connector, cluster)
        }
        guard !isDraining else { return EngineCounters() }
        status.started(plans.map(BridgeStatus.Worker.init))
        logger.info("started", metadata: ["workers": .integer(Int64(plans.count))])
        let renewal = Task { await self.renewCredentials() }
        defer { renewal.cancel() }
        let running = Task { await Self.keepLog(status, logger, summaryInterval) }
        let total = await withTaskGroup(of: EngineCounters.self) { group in
            for plan in plans { group.addTask { await self.keepRunning(plan) } }
            var total = EngineCounters()
            for await counters in group { total.add(counters) }
            return total
        }
        running.cancel()
        let lines = RunningLog(summaryInterval: nil).totals(status.read())
        for line in lines { logger.log(line) }
        return total
    }

    /// Logs once a second what is due: see ``RunningLog``.
    private static func keepLog(
        _ status: BridgeStatus, _ logger: Logger, _ summaryInterval: Duration?
    ) async {
        let start = ContinuousClock.now
        var log = RunningLog(summaryInterval: summaryInterval)
        while !Task.isCancelled {
            for line in log.look(status.read(), at: start.duration(to: .now)) { logger.log(line) }
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
        }
    }

    /// Lets every worker finish what is in flight, commit, and leave its group.
    public func drain() async {
        isDraining = true
        status.stopping()
        for (_, mailbox) in mailboxes { mailbox.post(.drain) }
        abandonCheck?()
        abandonCheck = nil
        await pauses.end()
    }

    /// Releases the mass-invalidation guard of every app.
    public func release() {
        for (_, mailbox) in mailboxes { mailbox.post(.release) }
    }

    /// Asks every worker for its totals, which arrive as events, and to publish its figures.
    public func requestReports() {
        for (_, mailbox) in mailboxes { mailbox.post(.report) }
    }

    /// Switches all workers of a connector to a new route.
    func renew(_ connector: String, route number: Int, _ route: APNsRoute) {
        guard routes[connector]?.indices.contains(number) == true else { return }
        routes[connector]?[number] = route
        for (owner, mailbox) in mailboxes where owner == connector {
            mailbox.post(.renew(route: number, route))
        }
    }

    /// Checks Kafka for all connectors; nil when the supervisor is drained meanwhile.
    private func checkKafka() async throws(StartFailure) -> [KafkaCheck.Findings]? {
        for connector in connectors {
            let apps = connector.apns.routes.map { connector.apns.apps[$0[0]] }
            logger.info(
                "checking connectivity",
                metadata: [
                    "connector": .string(connector.name),
                    "kafka": .string(KafkaProperties(connector.kafka).addresses),
                    "apns": .strings(apps.map(\.endpoint.address)),
                ])
        }
        let (connectors, creation, logger) = (connectors, creation, logger)
        let found = await check { () throws(StartFailure) in
            try KafkaCheck.look(for: connectors, creating: creation, logger)
        }
        guard let findings = try found?.get() else { return nil }
        for finding in findings {
            for warning in finding.warnings { logger.warn(of: warning) }
            if let failure = finding.unchecked {
                logger.info(
                    "topic settings not checked",
                    metadata: [
                        "code": .string(failure.code), "detail": .string(failure.message),
                        "action": "grant DESCRIBE_CONFIGS on the topics to enable the check",
                    ])
            }
        }
        return findings
    }

    /// Checks APNs; no plans when the supervisor is drained meanwhile.
    private func prepare(
        _ connector: Connector, _ cluster: KafkaCheck.Findings
    ) async throws(StartFailure) -> [WorkerPlan] {
        let apps = connector.apns.routes.map { connector.apns.apps[$0[0]] }
        let routes = apps.map { ($0, credential(of: $0)) }
        let logger = logger
        let checked = await check { () throws(StartFailure) in
            try routes.map { (app, credential) throws(StartFailure) in
                let patience = Self.patience(with: app, of: connector, logger)
                return try APNsCheck.route(connector, app, credential, patience)
            }
        }
        guard let found = try checked?.get() else { return [] }
        self.routes[connector.name] = found
        return (0..<connector.workers).map { number in
            WorkerPlan(
                connector: connector, number: number, clusterID: cluster.clusterID, routes: found,
                board: FigureBoard())
        }
    }

    /// Runs a check on a thread of its own; nil when the supervisor is drained meanwhile.
    private func check<Success: Sendable>(
        _ work: @escaping @Sendable () throws(StartFailure) -> Success
    ) async -> Result<Success, StartFailure>? {
        guard !isDraining else { return nil }
        return await withCheckedContinuation { continuation in
            abandonCheck = { continuation.resume(returning: nil) }
            Task {
                let result = await onThread("check", work)
                self.endCheck { continuation.resume(returning: result) }
            }
        }
    }

    /// A check has ended, unless it was abandoned.
    private func endCheck(_ resume: () -> Void) {
        guard abandonCheck != nil else { return }
        abandonCheck = nil
        resume()
    }

    /// Retries an APNs that does not respond yet, for example because the network is just coming
    /// up, until `startup_deadline`.
    private static func patience(
        with app: AppSettings, of connector: Connector, _ logger: Logger
    ) -> APNsCheck.Patience {
        let deadline = connector.startupDeadline
        return APNsCheck.Patience(
            retries: deadline,
            onRetry: { words in
                logger.warning(
                    "waiting for APNs",
                    metadata: [
                        "connector": .string(connector.name), "detail": .string(words),
                        "endpoint": .string(app.endpoint.address),
                        "startup_deadline_seconds": .integer(deadline.components.seconds),
                    ])
            })
    }

    /// The provider tokens of a key are shared by the whole process, so that all connections carry
    /// the same one.
    func credential(of app: AppSettings) -> APNsCredential {
        switch app.credential {
        case .certificate(let certificate): return .certificate(certificate)
        case .key(let key, let keyID, let teamID):
            let name = app.credential.fingerprint
            if let known = tokens[name] { return .tokens(known) }
            let made = ProviderTokens(key: key, keyID: keyID, teamID: teamID)
            tokens[name] = made
            return .tokens(made)
        }
    }

    /// Runs a worker, and again after each failure, until the supervisor is drained.
    private func keepRunning(_ plan: WorkerPlan) async -> EngineCounters {
        var total = EngineCounters()
        var pause = Duration.seconds(1)
        while !isDraining {
            let mailbox = Mailbox<WorkerMessage>()
            mailboxes.append((plan.connector.name, mailbox))
            var plan = plan
            plan.routes = routes[plan.connector.name] ?? plan.routes
            let start = ContinuousClock.now
            let end = await plan.run(mailbox, logger: logger, events: events)
            plan.board.clear()
            if ContinuousClock.now - start > .seconds(60) { pause = .seconds(1) }
            mailboxes.removeAll { $0.mailbox === mailbox }
            switch end {
            case .drained(let counters): total.add(counters)
            case .failed(let failure, let counters):
                total.add(counters)
                if isDraining { return total }
                logger.error(
                    "worker failed; restarting",
                    metadata: [
                        "connector": .string(plan.connector.name),
                        "code": .string(failure.code), "detail": .string(failure.message),
                        "pause_seconds": .integer(pause.components.seconds),
                    ])
                await pauses.wait(pause)
                pause = min(pause * 2, .seconds(60))
            }
        }
        return total
    }
}
