public import APNs
public import Delivery
public import Engine
internal import Synchronization

/// The figures that a worker last published.
public struct WorkerFigures: Sendable {
    /// When it published them, on the kernel's monotonic clock.
    public var time: Instant
    /// The group has assigned its partitions, of which there may be none.
    public var hasJoined = false
    /// Since when it waits for the group to assign partitions: from its start, or since it lost
    /// those it had. Nil while the group has assigned them, of which there may be none.
    var awaitsAssignmentSince: Instant?
    /// It reads topics by pattern alone, and no topic matches for now.
    var awaitsTopics = false
    /// When no broker could be reached the last time.
    var lastOutage = Instant.distantPast
    /// It is finishing what is in flight, and then ends.
    public var isDraining = false
    /// An operator has paused the intake of records.
    public var isPaused = false
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
    /// Pushes that were taken, are not in flight, and are not done.
    var pushesWaiting: Int { max(0, state.pushes - openRequests) }
    /// How many requests may be open on its connections now.
    public var streamsAllowed = 0
    /// What keeps all connections from accepting another push; nil when nothing does.
    public var connectionLimit: ConnectionLimit?
    /// The dates of the credential of each app.
    public var credentials: [CredentialDates] = []
    /// The connections of each app, in the order of the apps.
    public var apps: [AppConnections] = []
    /// How often Kafka has refused a right to read, or the login.
    public var rightsRefused = 0
    /// How often Kafka has reported that a topic to read does not exist.
    public var topicsMissing = 0
    /// Records that librdkafka has fetched and that wait to be taken.
    public var recordsFetched = 0
    /// Result records that librdkafka has not reported as stored.
    public var resultsQueued = 0
    /// The assigned partitions, in the order of their assignment.
    public var partitions: [PartitionState] = []
    /// How many offsets the group is behind in its partitions; nil while that is not known.
    public var lag: Int64?
    /// The outage of Kafka that lasts; nil while a broker can be reached.
    public var outage: KafkaOutage?

    /// The group has not assigned partitions yet, or not again since the worker lost those it had.
    var awaitsAssignment: Bool { awaitsAssignmentSince != nil }

    /// The offsets of the source and replay topics that are still to be taken: only those would
    /// more members take sooner. Nil while no end of a log is known.
    var unreadLag: Double? { partitions.unread.map(Double.init) }
}

/// An app's connections to APNs; apps that share a route have the same.
public struct AppConnections: Equatable, Sendable {
    /// How many are ready for requests.
    public var ready: Int
    /// APNs ended the last attempt to open one because of the client certificate.
    public var isCertificateRejected = false
    /// Why there is none; nil where there is one, or no attempt has failed.
    public var outage: ConnectionOutage?

    /// Creates the figures of an app.
    public init(
        ready: Int, isCertificateRejected: Bool = false, outage: ConnectionOutage? = nil
    ) {
        self.ready = ready
        self.isCertificateRejected = isCertificateRejected
        self.outage = outage
    }
}

/// The place where a worker publishes its figures for other threads.
public final class FigureBoard: Sendable {
    /// How often a worker publishes while anything happens; otherwise it does so about once a
    /// second.
    public static let interval = Duration.milliseconds(250)

    private struct State {
        var latest: WorkerFigures?
        /// The totals of earlier runs of this worker, each of which had failed.
        var earlier = RunTotals()
        /// How many runs have ended.
        var endedRuns = 0
        /// The last run has failed, and no later one has published anything yet.
        var hasFailed = false
        /// Faults of all runs.
        var faults = RecentFaults()
    }

    private let state = Mutex(State())

    /// Creates an empty board.
    public init() {}

    /// Replaces the published figures.
    func publish(_ figures: WorkerFigures) {
        state.withLock { state in
            state.faults.look(from: state.latest, to: figures)
            state.latest = figures
            state.hasFailed = false
        }
    }

    /// The faults that are recent at `now`, over all runs of the worker.
    func recentFaults(at now: Instant) -> Set<RecentFaults.Fault> {
        state.withLock { $0.faults }.recent(at: now)
    }

    /// The latest figures; nil while the worker is not running.
    public var latest: WorkerFigures? { state.withLock { $0.latest } }

    /// How many runs of the worker have ended.
    var endedRuns: Int { state.withLock { $0.endedRuns } }

    /// The worker has failed, and has not been started again.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// The totals since the process started, over all runs of the worker.
    var totals: RunTotals {
        let (latest, earlier) = state.withLock { ($0.latest, $0.earlier) }
        var totals = earlier
        if let latest { totals.add(RunTotals(latest)) }
        return totals
    }

    /// Adds the totals of another board, whose worker no longer exists.
    func adopt(_ other: FigureBoard) {
        let totals = other.totals
        let faults = other.state.withLock { $0.faults }
        state.withLock { state in
            state.earlier.add(totals)
            state.faults.add(faults)
        }
    }

    /// A connector starts its workers: an earlier failure says nothing about these.
    func begin() { state.withLock { $0.hasFailed = false } }

    /// The worker has ended: it has failed, or it was to end.
    func clear(hasFailed: Bool = true) {
        state.withLock { state in
            if let latest = state.latest { state.earlier.add(RunTotals(latest)) }
            state.latest = nil
            state.endedRuns += 1
            state.hasFailed = hasFailed
        }
    }
}
