internal import APNs
internal import Configuration
internal import Delivery
internal import Encoding
internal import EventLoop
internal import Mapping

/// The state of a worker and every rule about it; it does no I/O and reads no clock.
///
/// The worker tells it what happened, and asks what is to be done: which notification to send,
/// which result record to publish, which offsets to commit.
struct WorkerCore: ~Copyable {
    private(set) var settings: WorkerSettings
    /// The moment of this turn, in monotonic nanoseconds.
    var now: UInt64 = 0
    /// The moment of this turn, in milliseconds since 1970.
    var wallClock: Int64 = 0

    var mapper: Mapper
    var mapped = MappedRecord()
    var window: InFlightWindow
    /// Records that wait for time to pass, beside the window.
    var parkedWindow: InFlightWindow
    var records: Slab<OpenRecord>
    var notifications: OpenNotifications
    var partitions = AssignedPartitions()
    var order = DeliveryOrder()
    /// What may be sent, by app.
    var lines: Lines
    /// How often each device is sent to, where that is limited.
    var deviceRates: DeviceRates?

    /// Have result records to be published.
    var reports: RingQueue
    /// When parked notifications are ready again.
    var parked = DeadlineQueue()
    /// What was sent for each device and collapse ID.
    var sentMemory = SentMemory()
    var lastBirth: UInt64 = 0
    /// Devices that are left alone for a while.
    var throttled = ThrottledDevices()
    /// When refused result records are published again.
    var refused = DeadlineQueue()
    var nextSweep: UInt64 = 0
    /// True when an offset may have become safe that was not committed.
    var isDirty = false
    /// True when no partition is to flow: the window was full for a while.
    var pausesAll = false
    /// Why any partition is paused.
    var pauses: PauseReasons = []
    /// When the next partition has rested long enough.
    var nextRestEnd: UInt64?
    /// True when the source may have to be told about the flow of a partition.
    var isFlowDirty = false
    /// True when the broker keeps no room for what is done above an offset.
    var leavesOutCompleted = false
    /// True when nothing more is taken.
    private(set) var isDraining = false
    /// Until when a record that has begun is finished while the worker drains.
    private(set) var drainDeadline: UInt64 = 0
    /// True when nothing more is sent: the connections are closed.
    private(set) var isClosing = false

    /// Jitter for the back-off.
    var chance: SeededGenerator
    var writer: ResultWriter
    var counters = WorkerCounters()
    /// The kinds of strange answers that the log knows of.
    var strangeAnswers: [String] = []
    /// What the log should say, in order; the worker takes it each turn.
    var notices: [Notice] = []

    init(settings: WorkerSettings, plan: MappingPlan, seed: UInt64) {
        let capacity = settings.maxInFlight
        self.settings = settings
        mapper = Mapper(plan: plan)
        mapper.reportsFiltered = settings.results.reportsFiltered
        window = InFlightWindow(maxRecords: capacity, maxBytes: settings.maxInFlightBytes)
        parkedWindow = InFlightWindow(
            maxRecords: settings.maxWaiting, maxBytes: settings.maxWaitingBytes)
        records = Slab(capacity: capacity)
        notifications = OpenNotifications(capacity: capacity)
        lines = Lines(settings)
        deviceRates = settings.rate.perDevice.map { DeviceRates(RateLimit($0)) }
        reports = RingQueue(capacity: capacity)
        chance = SeededGenerator(seed: seed)
        writer = ResultWriter(settings)
    }

    /// The apps of a route have another credential now.
    mutating func renewed(route: Int, to credential: APNsCredential) {
        settings.use(credential, onRoute: route)
    }

    /// Nothing more can be sent: what waits is left to whoever reads it next, if anybody can.
    mutating func close() {
        isClosing = true
        abandon(nil)
        readyWhatCannotBeLeft()
    }

    /// Takes nothing more. What is on its way is finished, and what else of a record has begun.
    mutating func drain(until deadline: UInt64) {
        isDraining = true
        drainDeadline = deadline
        abandon(nil, until: deadline)
    }

    /// Lets go of every record, because their source is about to close.
    mutating func letGo() { records = Slab(capacity: 1) }

    /// The next moment at which something is due; nil when nothing waits for time to pass.
    var nextDeadline: UInt64? {
        var next = notifications.count > 0 ? nextSweep : nil
        if let deadline = parked.next { next = min(next ?? deadline, deadline) }
        if let deadline = refused.next { next = min(next ?? deadline, deadline) }
        if let deadline = lines.deadline(now: now) { next = min(next ?? deadline, deadline) }
        if let deadline = nextRestEnd { next = min(next ?? deadline, deadline) }
        return next
    }
}

/// Something that an operator should read.
struct Notice: Equatable, Sendable {
    /// How urgent it is.
    enum Level: Sendable { case info, warning, error }

    var level: Level
    var message: String
    var details: [(name: String, value: String)]

    init(_ level: Level, _ message: String, _ details: [(name: String, value: String)] = []) {
        self.level = level
        self.message = message
        self.details = details
    }

    static func == (left: Notice, right: Notice) -> Bool {
        left.level == right.level && left.message == right.message
    }
}
