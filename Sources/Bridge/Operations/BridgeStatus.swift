internal import Configuration
public import Delivery
internal import Engine
public import EventLoop
internal import Kafka
internal import Synchronization

/// The status of a running process; reading it never blocks a worker.
public final class BridgeStatus: Sendable {
    /// How long a turn may take before its worker counts as not responding.
    public static let longestTurn = Duration.seconds(30)

    /// A worker that is started, and restarted when it fails.
    struct Worker: Sendable {
        let connector: String
        let number: Int
        /// The names of the connector's apps.
        let apps: [String]
        let board: FigureBoard
        /// The addresses of its Kafka.
        let kafka: String

        init(
            connector: String, number: Int, apps: [String], board: FigureBoard,
            kafka: String = ""
        ) {
            self.kafka = kafka
            self.connector = connector
            self.number = number
            self.apps = apps
            self.board = board
        }

        init(_ plan: WorkerPlan) {
            self.init(
                connector: plan.connector.name, number: plan.number,
                apps: plan.connector.apns.apps.map(\.name), board: plan.board,
                kafka: KafkaProperties(plan.connector.kafka).addresses)
        }
    }

    private struct State {
        var hasStarted = false
        var isStopping = false
        var workers: [Worker] = []
    }

    private let state = Mutex(State())
    private let clock: @Sendable () -> Instant

    /// Creates a status; `clock` is the workers' monotonic clock.
    public init(clock: @escaping @Sendable () -> Instant = { MonotonicClock.now }) {
        self.clock = clock
    }

    /// The startup checks have passed, and these workers run.
    func started(_ workers: [Worker]) {
        state.withLock {
            $0.hasStarted = true
            $0.workers = workers
        }
    }

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
            workers: state.workers.map { worker in
                let figures = worker.board.latest
                let age = figures.map { max(.zero, now - $0.time) }
                return Reading.Worker(worker: worker, figures: figures, age: age)
            })
    }

    /// The status at one moment.
    struct Reading: Sendable {
        struct Worker: Sendable {
            let worker: BridgeStatus.Worker
            /// Nil while it is not running: it is being started or restarted.
            let figures: WorkerFigures?
            /// How long ago its last turn was.
            let age: Duration?

            /// Its turn takes so long that the worker counts as not responding.
            var isUnresponsive: Bool { age.map { $0 > BridgeStatus.longestTurn } ?? false }
        }

        let hasStarted: Bool
        let isStopping: Bool
        let workers: [Worker]

        /// The startup checks have passed, and every worker has been assigned its partitions.
        var isReady: Bool {
            hasStarted && !isStopping && workers.allSatisfy { $0.figures?.hasJoined == true }
        }

        /// Every worker responds. Kafka and APNs may nevertheless be unreachable.
        var isHealthy: Bool { !workers.contains(where: \.isUnresponsive) }

        /// What does not work as it should, while the process continues.
        var degradations: [String] {
            var found: [String] = []
            for worker in workers {
                let name = "\(worker.worker.connector)/\(worker.worker.number)"
                guard let figures = worker.figures else {
                    found.append("\(name): not running")
                    continue
                }
                if worker.isUnresponsive { found.append("\(name): not responding") }
                if figures.connections == 0 { found.append("\(name): no connection to APNs") }
                for app in figures.state.suspendedApps {
                    found.append("\(name): sending suspended for \(app.name)")
                }
            }
            return found
        }
    }
}
