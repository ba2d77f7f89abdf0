public import APNs
public import Delivery
public import Engine
public import EventLoop
public import Mapping
public import Telemetry

/// One thread's share of a connector: it takes records, sends pushes, reports on every one of
/// them, and commits what is done.
///
/// A plain mutable value that is born and ends on its thread; nobody else sees it. Its whole
/// life is `turn()`. What it knows and every rule about it stand in ``Engine``; here are only
/// the calls to the kernel, to Kafka and to the connections.
public struct Worker<
    Machine: Kernel & ~Copyable, Source: RecordSource & ~Copyable, Sink: ResultSink & ~Copyable
>: ~Copyable {
    var kernel: Machine
    var source: Source
    var sink: Sink
    var pools: APNsPools
    var engine: Engine
    let mailbox: Mailbox<WorkerCommand>
    let logger: Logger
    let tell: (WorkerEvent) -> Void
    var phase = WorkerPhase.running
    var failure: KafkaFailure?
    var wakeups: [Wakeup] = []
    var nextPartitionLook = Instant.distantPast
    var lastComplaint = ""
    /// The credentials that are on trial, by their routes.
    var offered: [Int: APNsCredential] = [:]

    /// Puts a worker together. Its parts belong to it from now on: the kernel watches the
    /// descriptors of mailbox, source and sink under ``WorkerToken``, and the pools have their own.
    public init(
        kernel: consuming Machine, source: consuming Source, sink: consuming Sink,
        pools: consuming APNsPools, plan: MappingPlan, settings: EngineSettings,
        mailbox: Mailbox<WorkerCommand>, logger: Logger,
        tell: @escaping (WorkerEvent) -> Void
    ) {
        self.kernel = kernel
        self.source = source
        self.sink = sink
        self.pools = pools
        self.mailbox = mailbox
        self.logger = logger
        self.tell = tell
        engine = Engine(settings: settings, plan: plan, seed: self.kernel.random())
        self.pools.start(&self.kernel)
    }

    /// Works until it is drained, or until Kafka cannot go on.
    public mutating func run() -> WorkerEnd {
        while phase != .ended { turn() }
        return end()
    }

    /// How it ended.
    func end() -> WorkerEnd {
        if let failure { return .failed(failure, engine.counters) }
        return .drained(engine.counters)
    }

    /// Waits once, then lets each part do its share.
    mutating func turn() {
        wait()
        receiveMail()
        readResponses()
        takeAcknowledgements()
        engine.doDueWork()
        takeRecords()
        followAssignment()
        sendPushes()
        publishResults()
        commitOffsets()
        handOver()
        drain()
        speak()
    }

    /// What has been done so far.
    public var counters: EngineCounters { engine.counters }
}

/// The kernel's tokens of a worker; those from ``connections`` on belong to its pools.
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

/// Where a worker is in its life.
enum WorkerPhase: Equatable, Sendable {
    case running
    /// What is on its way ends; at `closing` the connections are closed, at `deadline` all is over.
    case draining(closing: Instant, deadline: Instant)
    /// Everything is reported; the last commit is on its way.
    case committing(deadline: Instant)
    case ended
}
