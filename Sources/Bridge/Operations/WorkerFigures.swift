public import Delivery
public import Engine
internal import Synchronization

/// The figures that a worker last published.
public struct WorkerFigures: Sendable {
    /// When it published them, on the kernel's monotonic clock.
    public var time: Instant
    /// The group has assigned its partitions, of which there may be none.
    public var hasJoined = false
    /// It is finishing what is in flight, and then ends.
    public var isDraining = false
    /// Totals since the start.
    public var counters = EngineCounters()
    /// Pushes by outcome, and their latencies, since the start.
    public var pushes: PushFigures
    /// Its current load.
    public var state = EngineState()
    /// Connections to APNs that are ready.
    public var connections = 0
    /// Requests without a response.
    public var openRequests = 0
}

/// The place where a worker publishes its figures for other threads.
public final class FigureBoard: Sendable {
    /// How often a worker publishes, even if nothing happens.
    public static let interval = Duration.milliseconds(250)

    private let figures = Mutex<WorkerFigures?>(nil)

    /// Creates an empty board.
    public init() {}

    /// Replaces the published figures.
    func publish(_ figures: WorkerFigures) { self.figures.withLock { $0 = figures } }

    /// The latest figures; nil while the worker is not running.
    public var latest: WorkerFigures? { figures.withLock { $0 } }

    /// The worker has ended.
    func clear() { figures.withLock { $0 = nil } }
}
