public import APNs
public import Delivery
public import Engine
public import EventLoop
internal import Kafka
public import Mapping
internal import SchemaRegistry
public import Telemetry

/// One thread's share of a connector: it takes records, sends pushes, reports on every one of them,
/// and commits what is done.
///
/// A plain mutable value that lives on its thread; nothing else sees it. Its whole life is
/// `turn()`. ``Engine`` holds the state and the rules; this type only calls the kernel, Kafka and
/// the connections.
public struct Worker<
    Machine: Kernel & ~Copyable, Source: RecordSource & ~Copyable, Sink: ResultSink & ~Copyable
>: ~Copyable {
    var kernel: Machine
    var source: Source
    var sink: Sink
    var pools: APNsPools
    var engine: Engine
    let mailbox: Mailbox<WorkerMessage>
    let logger: Logger
    let report: (WorkerEvent) -> Void
    var phase = WorkerPhase.running
    var failure: KafkaFailure?
    var wakeups: [Wakeup] = []
    var nextPartitionCountUpdate = Instant.distantPast
    /// Where figures are published, and when to publish next.
    var board: FigureBoard?
    var nextFigures = Instant.distantPast
    /// False when there was a turn since figures were published: they may have changed.
    var areFiguresCurrent = false
    /// Where finished spans of pushes go; nil when nothing is traced.
    let spans: SpanQueue?
    /// What looks up schemas; nil where values are JSON.
    let schemas: (any SchemaSource)?
    /// What it shares with the other workers of the process, and its number there.
    let soleRecords: SoleRecordLock
    let soleNumber: Int
    /// The group has assigned this worker's partitions.
    var hasJoined = false
    /// Since when it waits for the group to assign partitions: from its start, or since it lost
    /// those it had. Nil while the group has assigned them, of which there may be none.
    var awaitsAssignmentSince: Instant?
    /// It has logged that metrics do not distinguish all values of labels.
    var hasNotedLabels = false
    /// What has gone wrong around it.
    var faults = WorkerFaults()
    var libraryLines = LibraryLines()
    /// The credentials on trial, by route.
    var offered: [Int: OfferedCredential] = [:]

    /// Assembles a worker, which takes ownership of its parts: the kernel watches the descriptors
    /// of mailbox, source and sink under ``WorkerToken``, and the pools register their own.
    public init(
        kernel: consuming Machine, source: consuming Source, sink: consuming Sink,
        pools: consuming APNsPools, plan: MappingPlan, settings: EngineSettings,
        mailbox: Mailbox<WorkerMessage>, board: FigureBoard? = nil, spans: SpanQueue? = nil,
        schemas: (any SchemaSource)? = nil, soleRecords: SoleRecordLock = SoleRecordLock(),
        logger: Logger, report: @escaping (WorkerEvent) -> Void
    ) {
        self.kernel = kernel
        self.source = source
        self.sink = sink
        self.pools = pools
        self.mailbox = mailbox
        self.board = board
        self.spans = spans
        self.schemas = schemas
        self.soleRecords = soleRecords
        soleNumber = soleRecords.join { mailbox.post(.look) }
        self.logger = logger
        self.report = report
        var settings = settings
        settings.logDetail = Self.detail(for: logger.level)
        settings.sampler = spans?.sampler
        engine = Engine(settings: settings, plan: plan, seed: self.kernel.random())
        awaitsAssignmentSince = self.kernel.now
        self.pools.start(&self.kernel)
    }

    /// Runs until it is drained, or until Kafka fails for good.
    public mutating func run() -> WorkerEnd {
        while phase != .ended { turn() }
        return end()
    }

    /// How it ended.
    func end() -> WorkerEnd {
        soleRecords.leave(soleNumber)
        if let failure { return .failed(failure, engine.counters) }
        return .drained(engine.counters)
    }

    /// Waits once, then lets each part do its work. What waits to be sent goes first, so that APNs
    /// has work while records are read.
    mutating func turn() {
        wait()
        receiveMessages()
        readResponses()
        sendPushes()
        takeAcknowledgements()
        engine.doDueWork()
        takeRecords()
        askForSchemas()
        followAssignment()
        sendPushes()
        shareProcess()
        publishResults()
        commitOffsets()
        handOver()
        drain()
        logNotices()
        publishFigures()
        passOnSpans()
    }

    /// Totals since the start.
    public var counters: EngineCounters { engine.counters }
}

/// The kernel tokens of a worker; those from ``connections`` on belong to its pools.
public enum WorkerToken {
    /// The mailbox.
    public static let mailbox: UInt64 = 1
    /// The consumer.
    public static let source: UInt64 = 2
    /// The producer.
    public static let sink: UInt64 = 3
    /// The first of the pools.
    public static let connections: UInt64 = 16
}

/// The phases of a worker's life.
enum WorkerPhase: Equatable, Sendable {
    case running
    /// What is in flight is finished until the engine's ``Engine/drainDeadline``, at which the
    /// connections are closed; at `deadline` the worker ends.
    case draining(deadline: Instant)
    /// Everything is reported; the last commit is in progress.
    case committing(deadline: Instant)
    case ended
}

/// What looks up schemas for workers.
public protocol SchemaSource: Sendable {
    /// Asks for a schema; `reply` may be called several times, on any thread. The last response is
    /// `found`.
    func ask(_ id: SchemaID, _ reply: @escaping @Sendable (SchemaResult) -> Void)
}

extension SchemaRegistry: SchemaSource {}
