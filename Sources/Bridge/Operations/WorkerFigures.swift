public import Engine
internal import Synchronization

/// What a worker last published about itself.
public struct WorkerFigures: Sendable {
    /// When it published this, by the kernel's monotonic clock.
    public var time: UInt64
    /// The group has told it its partitions, which may be none.
    public var hasJoined = false
    /// It finishes what is in flight, and ends.
    public var isDraining = false
    /// Totals since it was started.
    public var counters = EngineCounters()
    /// Pushes by outcome, and how long they took, since it was started.
    public var pushes: PushFigures
    /// What it has in hand.
    public var state = EngineState()
    /// Connections to APNs that may be used.
    public var connections = 0
    /// Requests without a response.
    public var openRequests = 0
}

/// Where one worker publishes its figures, for other threads to read.
public final class FigureBoard: Sendable {
    /// How often a worker publishes, in nanoseconds, also when nothing happens.
    public static let interval: UInt64 = 250_000_000

    private let figures = Mutex<WorkerFigures?>(nil)

    /// A board on which nothing stands.
    public init() {}

    /// Replaces what stands on the board.
    func publish(_ figures: WorkerFigures) { self.figures.withLock { $0 = figures } }

    /// What was published last; nil while the worker does not run.
    public var latest: WorkerFigures? { figures.withLock { $0 } }

    /// The worker has ended.
    func clear() { figures.withLock { $0 = nil } }
}
