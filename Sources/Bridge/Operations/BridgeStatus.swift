internal import Configuration
public import Delivery
internal import Engine
public import EventLoop
internal import Kafka
internal import Synchronization

/// The status of a running process; reading it never blocks a worker.
public final class BridgeStatus: Sendable {
    /// How long a turn may take before its worker counts as not responding.
    public static let maxTurn = Duration.seconds(30)
    /// How long the group may take to assign partitions before that is a problem: longer than a
    /// rebalance in which all members respond.
    static let maxAssignment = Duration.seconds(60)

    /// A worker that is started, and restarted when it fails.
    struct Worker: Sendable {
        let connector: String
        let number: Int
        /// The names of the connector's apps.
        let apps: [String]
        let board: FigureBoard
        /// The addresses of its Kafka.
        let kafka: String
        /// The group notifies it of an assignment also when that is empty: see
        /// ``KafkaProperties/usesClassicGroups``.
        let reportsEmptyAssignments: Bool

        init(
            connector: String, number: Int, apps: [String], board: FigureBoard,
            kafka: String = "", reportsEmptyAssignments: Bool = true
        ) {
            self.reportsEmptyAssignments = reportsEmptyAssignments
            self.kafka = kafka
            self.connector = connector
            self.number = number
            self.apps = apps
            self.board = board
        }

    }

    private struct State {
        var hasStarted = false
        var isStopping = false
        var connectors: [Connector] = []
        var isLastReloadRefused = false
        /// The memory of the process when it was last asked for, and when that was.
        var memory: (found: ProcessMemory, time: Instant)?
    }

    /// How long the memory of the process counts as current: the files of its control group are
    /// not read at each request.
    static let memoryInterval = Duration.seconds(1)

    private let state = Mutex(State())
    private let history = Mutex(StatusHistory())
    private let clock: @Sendable () -> Instant
    private let machine: Machine
    private let start: Instant
    private let spans: SpanQueue?
    private let build: BridgeBuild?

    /// What it reads of the machine, besides the monotonic clock.
    struct Machine: Sendable {
        /// The wall clock, in milliseconds since 1970.
        var wallClock: @Sendable () -> Int64 = { WallClock.milliseconds }
        /// When the process was started, by the wall clock of that time: setting the clock later
        /// does not look like a restart.
        var startTime: @Sendable () -> Int64 = { [time = WallClock.milliseconds] in time }
        /// The memory of this process.
        var memory: @Sendable () -> ProcessMemory = { .current }
        /// How many lines of the log were lost because nobody read them.
        var lostLogLines: @Sendable () -> Int = { 0 }
    }

    /// Creates a status of a `build`; `clock` is the workers' monotonic clock, `spans` takes what
    /// they trace, and `lostLogLines` counts lines of the log that were lost because nobody read
    /// them.
    public convenience init(
        build: BridgeBuild? = nil, spans: SpanQueue? = nil,
        clock: @escaping @Sendable () -> Instant = { MonotonicClock.now },
        lostLogLines: @escaping @Sendable () -> Int = { 0 }
    ) {
        self.init(
            build: build, spans: spans, machine: Machine(lostLogLines: lostLogLines),
            clock: clock)
    }

    init(
        build: BridgeBuild? = nil, spans: SpanQueue? = nil, machine: Machine,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.clock = clock
        self.machine = machine
        self.spans = spans
        self.build = build
        start = clock()
    }

    /// The first checks have passed, and the set consists of these connectors now.
    func started(_ connectors: [Connector]) {
        state.withLock {
            $0.hasStarted = true
            $0.connectors = connectors
        }
    }

    /// A reload has ended; `isRefused` if what ran before continues in place of what the files say.
    func reloaded(isRefused: Bool) { state.withLock { $0.isLastReloadRefused = isRefused } }

    /// The process was asked to stop.
    func stopping() { state.withLock { $0.isStopping = true } }

    /// The latest figures of the workers that run, in the order of the connectors.
    public var figures: [WorkerFigures] { read().workers.compactMap(\.figures) }

    /// The current status.
    func read() -> Reading {
        let state = state.withLock { $0 }
        let now = clock()
        return Reading(
            hasStarted: state.hasStarted, isStopping: state.isStopping,
            workers: state.connectors.flatMap { connector in
                let runs = connector.state == .running || connector.state == .stopping
                return runs ? connector.workers.map { Reading.Worker($0, of: connector, now) } : []
            },
            connectors: state.connectors.map(\.asRead),
            isLastReloadRefused: state.isLastReloadRefused, build: build,
            uptime: now - start, spans: spans?.totals, wallClock: machine.wallClock(),
            startTime: machine.startTime(), memory: memory(at: now),
            lostLogLines: machine.lostLogLines(),
            deliveries: history.withLock { $0.recentDeliveries }.filter { delivery in
                state.connectors.contains { $0.name == delivery.connector }
            })
    }

    private func memory(at now: Instant) -> ProcessMemory {
        if let last = state.withLock({ $0.memory }), now - last.time < Self.memoryInterval {
            return last.found
        }
        let found = machine.memory()
        state.withLock { $0.memory = (found, now) }
        return found
    }

    /// Adds to the history what has happened; called about once a second.
    func remember(_ reading: Reading) { history.withLock { $0.look(reading, at: reading.uptime) } }

    /// What happened in the last 30 minutes.
    var recent: StatusHistory { history.withLock { $0 } }

    /// The status at one moment.
    struct Reading: Sendable {
        struct Worker: Sendable {
            let worker: BridgeStatus.Worker
            /// Nil while it is not running.
            let figures: WorkerFigures?
            /// How long ago its last turn was.
            let age: Duration?
            /// The number of runs of this worker that have ended.
            var run = 0
            /// What happened to it lately, and is a problem for a while.
            var recentFaults: Set<RecentFaults.Fault> = []
            /// Where in its life it is.
            var stage = Stage.running

            /// The stages of a worker's life; the values are part of `/status`.
            enum Stage: String, CaseIterable, Sendable {
                /// It has not had its first turn.
                case starting
                case running
                /// It has failed, and is started again.
                case restarting
                /// It has ended, and the others of its connector are about to.
                case ended
            }

            /// Its turn takes so long that the worker counts as not responding.
            var isUnresponsive: Bool { age.map { $0 > BridgeStatus.maxTurn } ?? false }

            /// The group has assigned its partitions, of which there may be none. A rebalance
            /// changes nothing about that, also one in which it lost its partitions for a moment.
            var hasJoined: Bool {
                guard let figures, figures.hasJoined else { return false }
                return waited(figures).map { $0 < BridgeStatus.maxAssignment } ?? true
            }

            /// How long the group has assigned no partitions, if that is too long. Time in which
            /// no broker could be reached does not count: that is another problem.
            var timeUnassigned: Duration? {
                guard let figures, figures.outage == nil, !figures.isDraining,
                    let time = waited(figures, from: figures.lastOutage),
                    time >= BridgeStatus.maxAssignment
                else { return nil }
                return time
            }

            /// How long it has waited for the group; nil while it does not wait, or where that
            /// cannot be distinguished from an empty assignment.
            private func waited(
                _ figures: WorkerFigures, from start: Instant = .distantPast
            ) -> Duration? {
                guard worker.reportsEmptyAssignments else { return nil }
                return figures.awaitsAssignmentSince.map {
                    figures.time + (age ?? .zero) - max($0, start)
                }
            }
        }

        let hasStarted: Bool
        let isStopping: Bool
        /// The workers of the connectors that run.
        let workers: [Worker]
        /// All connectors of the set.
        var connectors: [Connector] = []
        /// True when the last reload was refused, wholly or for a connector.
        var isLastReloadRefused = false
        /// What the program was built from; nil if nobody needs to know.
        var build: BridgeBuild?
        /// How long ago the process started.
        var uptime = Duration.zero
        /// Spans exported and dropped; nil when nothing is traced.
        var spans: SpanQueue.Totals?
        /// The time, in milliseconds since 1970.
        var wallClock: Int64 = 0
        /// When the process was started, in milliseconds since 1970.
        var startTime: Int64 = 0
        /// The memory of the process.
        var memory = ProcessMemory(resident: nil, limit: nil)
        /// How many lines of the log were lost because nobody read them.
        var lostLogLines = 0
        /// What became of the pushes of each connector lately.
        var deliveries: [RecentDeliveries] = []

        /// The checks have passed, and every worker has been assigned its partitions. A connector
        /// that failed to start does not count: the others work.
        var isReady: Bool {
            hasStarted && !isStopping && !connectors.contains { $0.state == .starting }
                && workers.allSatisfy { $0.hasJoined || $0.stage == .ended }
        }

        /// The first check of every connector is over, with all its retries, and at least one
        /// connector runs. Whether its workers have joined their groups: see ``isReady``.
        var isRunning: Bool {
            hasStarted && !connectors.contains { $0.state == .starting }
                && connectors.contains { $0.state == .running || $0.state == .waiting }
        }

        /// Every worker responds. Kafka and APNs may nevertheless be unreachable.
        var isHealthy: Bool { !workers.contains(where: \.isUnresponsive) }
    }
}

extension BridgeStatus.Reading.Worker {
    fileprivate init(
        _ worker: BridgeStatus.Worker, of connector: BridgeStatus.Connector, _ now: Instant
    ) {
        let board = worker.board
        let figures = board.latest
        self.init(
            worker: worker, figures: figures, age: figures.map { max(.zero, now - $0.time) },
            run: board.endedRuns, recentFaults: board.recentFaults(at: now))
        guard figures == nil else { return }
        stage =
            [.stopping, .waiting].contains(connector.state)
            ? .ended : board.hasFailed ? .restarting : .starting
    }
}
