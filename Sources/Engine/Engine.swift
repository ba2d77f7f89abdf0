package import APNs
internal import Configuration
package import Delivery
internal import Encoding
internal import EventLoop
package import Mapping

/// What becomes of every push: all state of a worker and every rule about it. It does no I/O and
/// reads no clock.
///
/// The worker reports events (records, responses, acknowledgements, revocations, the time) and
/// carries out commands: what to send, what to publish, what to commit, which partitions to pause.
/// The rules stand in the folders: `Push` the life of a push, `Sending` what is sent when and what
/// follows from a response, `Waiting` retries, `Partitions` assignment and flow, `Outbox` what is
/// owed to Kafka.
package struct Engine: ~Copyable {
    /// What the engine knows of its connector.
    package internal(set) var settings: EngineSettings
    /// The moment of this turn.
    package internal(set) var now = Instant.distantPast
    /// The moment of this turn on the wall clock, in milliseconds since 1970.
    package internal(set) var wallClock: Int64 = 0
    /// What has been done so far.
    package internal(set) var counters = EngineCounters()
    /// What the log should say, in order.
    var notices: [Notice] = []
    /// Whether records are taken, and pushes sent.
    var phase = Phase.running

    var mapper: Mapper
    var mapped = MappedRecord()
    var store = RecordStore()
    var records: Slab<TakenRecord>
    var pushes: PushTable
    /// Records in flight, and those that wait beside them.
    var window: InFlightWindow
    var waitingWindow: InFlightWindow

    /// True when a push may have come to the head of some queue, or left it.
    var headsChanged = false
    /// By app, as bytes.
    let bundleIDs: [[UInt8]]
    var queues: AppQueues
    var orderingKeys = OrderingKeys()
    /// How often each device is sent to, where that is limited.
    var deviceRates: DeviceRates?
    var throttled = ThrottledDevices()
    /// What was sent for each device and collapse ID.
    var sentMemory = SentMemory()
    /// True where what was sent decides about another push in doubt.
    let remembersSent: Bool
    var lastBirth: UInt64 = 0
    /// The push that a connection is to send, in buffers that are used again.
    var outgoing = Notification()
    var outgoingID = NotificationID(high: 0, low: 0)
    /// The kinds of unexpected responses that the log knows of.
    var unexpectedResponses: [String] = []

    /// When waiting pushes are sent again.
    var retries = DeadlineQueue()
    var nextSweep = Instant.distantPast
    /// Jitter for the back-off.
    var random: SeededGenerator

    var partitions = AssignedPartitions()
    var flow = PartitionFlow()
    var intake: Intake
    var commits = CommitPace()
    var outbox: Outbox

    /// An engine that has nothing; `seed` decides about its jitter.
    package init(settings: EngineSettings, plan: MappingPlan, seed: UInt64) {
        let capacity = settings.maxInFlight
        self.settings = settings
        mapper = Mapper(plan: plan)
        mapper.reportsFiltered = settings.results.reportsFiltered
        window = InFlightWindow(maxRecords: capacity, maxBytes: settings.maxInFlightBytes)
        waitingWindow = InFlightWindow(
            maxRecords: settings.maxWaiting, maxBytes: settings.maxWaitingBytes)
        records = Slab(capacity: capacity)
        pushes = PushTable(capacity: capacity)
        bundleIDs = settings.apps.map { [UInt8]($0.bundleID.utf8) }
        queues = AppQueues(settings)
        remembersSent = settings.inDoubt == .collapse
        deviceRates = settings.rate.perDevice.map { DeviceRates(RateLimit($0)) }
        intake = Intake(takeInterval: settings.takeInterval)
        outbox = Outbox(settings)
        random = SeededGenerator(seed: seed)
    }

    /// Whether records are taken, and pushes sent.
    enum Phase: Equatable, Sendable {
        case running
        /// Nothing is taken; a record that has begun is finished until then.
        case draining(until: Instant)
        /// Nothing is sent any more: the connections are closed.
        case closed
    }
}

// MARK: The turn

extension Engine {
    /// Tells the time of this turn; the wall clock in milliseconds since 1970.
    package mutating func setTime(_ now: Instant, wallClock: Int64) {
        self.now = now
        self.wallClock = wallClock
    }

    /// The next moment at which ``doDueWork()`` has something to do; nil when nothing waits for
    /// time to pass.
    package var nextDeadline: Instant? {
        var next = pushes.count > 0 ? nextSweep : .distantFuture
        if let retry = retries.next { next = min(next, Instant(nanoseconds: retry)) }
        if let refused = outbox.nextOffer { next = min(next, refused) }
        if let deadline = queues.deadline(now: now) { next = min(next, deadline) }
        if let end = flow.nextRestEnd { next = min(next, end) }
        return next == .distantFuture ? nil : next
    }

    /// Hands over what the log should say.
    package mutating func takeNotices() -> [Notice] {
        guard !notices.isEmpty else { return [] }
        defer { notices = [] }
        return notices
    }
}

// MARK: What an observer sees

extension Engine {
    /// How many records were taken and are not done.
    package var openRecords: Int { records.count }
    /// How many of them wait outside the window.
    package var waitingRecords: Int { waitingWindow.records }
    /// How many of them are in flight.
    package var recordsInFlight: Int { window.records }
    /// The bytes that all of them take.
    package var openBytes: Int { window.bytes + waitingWindow.bytes }
    /// The bytes of memory that their copies take.
    package var storedBytes: Int { store.byteCount }
    /// How many pushes are not done.
    package var openPushes: Int { pushes.count }
    /// True when nothing is sent any more.
    package var isClosed: Bool { phase == .closed }
    /// True when a fault suspends sending for some app.
    package var isAnyAppSuspended: Bool { queues.isAnySuspended }
}

// MARK: Stopping

extension Engine {
    /// Takes nothing more. What is in flight is finished, and what else of a record has begun.
    package mutating func drain(until deadline: Instant) {
        phase = .draining(until: deadline)
        intake.stop()
        abandonIdle(nil, until: deadline)
    }

    /// Nothing more can be sent: what waits is left to whoever reads it next, if anybody can.
    package mutating func close() {
        phase = .closed
        abandonIdle(nil)
        endWhatCannotBeLeft()
    }

    /// The deadline of a drain; nil while there is none.
    var drainDeadline: Instant? {
        if case .draining(let deadline) = phase { return deadline }
        return nil
    }
}

// MARK: Credentials

extension Engine {
    /// The apps of a route have another credential now, which APNs has accepted.
    package mutating func credentialAdopted(
        _ credential: APNsCredential?, _ version: CredentialVersion, route: Int
    ) {
        if let credential { settings.use(credential, onRoute: route) }
        queues.adopt(version, route: route)
    }
}
