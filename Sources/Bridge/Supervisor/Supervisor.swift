internal import APNs
public import Configuration
internal import Delivery
public import Engine
internal import EventLoop
internal import Kafka
internal import SchemaRegistry
public import Telemetry

/// Runs a set of connectors: it starts their workers, restarts them when they fail, drains them,
/// and changes the set while it runs.
///
/// The extensions contain the stages: `Starting`, `Running`, `Reloading`, `Renewal`, and what an
/// operator asks for in `Control`.
public actor Supervisor {
    let logger: Logger
    let status: BridgeStatus
    let options: SupervisorOptions
    let parts: SupervisorParts
    let events: AsyncStream<WorkerEvent>.Continuation
    /// What the workers of the process share.
    let soleRecords = SoleRecordLock()
    /// The connectors to start with.
    private let connectors: [Connector]
    /// The connectors whose files are right and name something that is not, in the order of their
    /// files.
    var unusable: [UnusableConnector]
    /// Reads the files again while a connector is unusable.
    var unusableRetry: Task<Void, Never>?

    /// The connectors of the set, in the order of their files.
    var members: [Member] = []
    /// The members to launch.
    let launches: AsyncStream<Launch>.Continuation
    private let launched: AsyncStream<Launch>
    var launchCount = 0
    /// The checks in progress, each with what ends it without a result.
    var checks: [Int: (member: Int?, abandon: () -> Void)] = [:]
    var checkCount = 0
    var tokens: [String: ProviderTokens] = [:]
    /// The schema registries, each shared by all connectors with its settings.
    var registries: [SchemaRegistrySettings: SchemaRegistry] = [:]
    var totals = EngineCounters()
    var isDraining = false
    /// The first checks have passed.
    var hasStarted = false
    /// A worker of any connector has run.
    public internal(set) var hasRun = false
    var isReloading = false
    /// A signal asked for a reload during a reload, and that one has not begun.
    var mustReloadAgain = false
    /// Nothing runs or starts any more, and ``run()`` ends.
    private(set) var isOver = false

    /// What the workers report, as it happens; for one reader only.
    public nonisolated let workerEvents: AsyncStream<WorkerEvent>

    /// A member to launch, and what is known about it already.
    struct Launch: Sendable {
        var member: Int
        /// What a check found out; nil to check.
        var prepared: PreparedConnector?
        /// Why the first check failed; nil if it did not.
        var failure: StartFailure?
    }

    /// Prepares to run connectors, and those that are `unusable` once they are usable; `status`
    /// reports on them at any time.
    public init(
        _ connectors: [Connector], unusable: [UnusableConnector] = [], logger: Logger,
        status: BridgeStatus = BridgeStatus(), options: SupervisorOptions = SupervisorOptions()
    ) {
        self.init(
            connectors, unusable: unusable, logger: logger, status: status, options: options,
            parts: SupervisorParts())
    }

    init(
        _ connectors: [Connector], unusable: [UnusableConnector], logger: Logger,
        status: BridgeStatus, options: SupervisorOptions, parts: SupervisorParts
    ) {
        self.connectors = connectors
        self.unusable = unusable
        self.logger = logger
        self.status = status
        self.options = options
        self.parts = parts
        (workerEvents, events) = AsyncStream.makeStream(
            of: WorkerEvent.self, bufferingPolicy: .bufferingNewest(1024))
        (launched, launches) = AsyncStream.makeStream(of: Launch.self)
    }

    /// Checks Kafka and APNs, then runs every worker until ``drain()``; returns the totals.
    ///
    /// Throws before anything is consumed if a connector file or a topic must be changed, and as
    /// soon as no connector can be started.
    public func run() async throws(StartFailure) -> EngineCounters {
        defer { events.finish() }
        guard let firsts = try await checkAll(connectors) else { return EngineCounters() }
        hasStarted = true
        for (connector, launch) in zip(connectors, firsts) { add(connector, launch) }
        publishStatus()
        for one in unusable { logFailure(of: one.name, one.diagnostics) }
        let workers = zip(members, firsts).reduce(0) { sum, pair in
            guard let prepared = pair.1.prepared, !mustWait(pair.0.connector, prepared) else {
                return sum
            }
            return sum + pair.0.boards.count
        }
        if workers > 0 { logger.info("started", metadata: ["workers": .number(workers)]) }
        let running = Task { await Self.keepLog(status, logger, options.summaryInterval) }
        retryUnusable()
        await withDiscardingTaskGroup { group in
            for await launch in launched { group.addTask { await self.run(launch) } }
        }
        running.cancel()
        unusableRetry?.cancel()
        if let failure { throw failure }
        let lines = RunningLog(summaryInterval: nil).totals(status.read())
        for line in lines { logger.log(line) }
        return totals
    }

    /// Logs once a second what is due, and remembers what has happened: see ``RunningLog`` and
    /// ``StatusHistory``.
    private static func keepLog(
        _ status: BridgeStatus, _ logger: Logger, _ summaryInterval: Duration?
    ) async {
        let start = ContinuousClock.now
        var log = RunningLog(summaryInterval: summaryInterval)
        while !Task.isCancelled {
            let reading = status.read()
            for line in log.look(reading, at: start.duration(to: .now)) { logger.log(line) }
            status.remember(reading)
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
        }
    }

    /// Lets every worker finish what is in flight, commit, and leave its group.
    public func drain() async {
        isDraining = true
        status.stopping()
        for member in members { await stop(member.number) }
        abandonChecks { _ in true }
        endIfOver()
    }

    /// Why the process ends although nobody asked it to: no connector can be started.
    private var failure: StartFailure? {
        guard !isDraining else { return nil }
        return StartFailure(ofAll: members.compactMap(\.failure) + failuresOfUnusable)
    }

    /// Ends ``run()`` when nothing runs or starts any more. A reload, or one that has yet to begin,
    /// may start something.
    func endIfOver() {
        let mayStart = isReloading || mustReloadAgain
        guard isDraining || !mayStart && members.allSatisfy(\.hasFailed) else { return }
        isOver = true
        launches.finish()
        // Members that have failed are no longer checked.
        abandonChecks { _ in true }
        for member in members { Task { await member.pauses.end() } }
    }
}

// MARK: Members

extension Supervisor {
    func index(of number: Int) -> Int? { members.firstIndex { $0.number == number } }

    /// True when a member has to end.
    func isStopping(_ number: Int?) -> Bool {
        guard !isDraining, !isOver else { return true }
        guard let number else { return false }
        return index(of: number).map { members[$0].isStopping } ?? true
    }

    /// Adds a member, or puts it in the place of the one with the same name, and starts it.
    func add(_ connector: Connector, _ launch: Launch) {
        launchCount += 1
        let old = members.firstIndex { $0.connector.name == connector.name }
        var member = Member(
            connector: connector, number: launchCount,
            boards: Member.boards(for: connector, after: old.map { members[$0].boards } ?? []),
            pauses: RestartPauses(sleep: parts.sleep))
        if let old {
            let pauses = members[old].pauses
            Task { await pauses.end() }
            member.isPaused = members[old].isPaused
            members[old] = member
        } else {
            members.append(member)
        }
        var launch = launch
        launch.member = member.number
        launches.yield(launch)
    }

    /// Makes a member end: its workers drain, and checks and pauses end at once.
    func stop(_ number: Int) async {
        guard let index = index(of: number) else { return }
        members[index].isStopping = true
        publishStatus()
        for mailbox in members[index].mailboxes { mailbox.post(.drain) }
        abandonChecks { $0 == number }
        await members[index].pauses.end()
    }

    /// Reports to ``BridgeStatus`` what the set consists of.
    func publishStatus() {
        guard hasStarted else { return }
        status.started(
            members.map(BridgeStatus.Connector.init)
                + unusable.map(BridgeStatus.Connector.init))
    }
}
