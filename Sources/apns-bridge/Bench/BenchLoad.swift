/// How full everything was while a backlog was delivered: what ``BenchLimit`` judges by.
struct BenchLoad: Equatable, Sendable {
    /// Pushes per second, and how many of them `delivery.rate` allows; nil for any number.
    var rate = 0.0
    var allowedRate: Double?
    /// The share of the machine's processors without work.
    var idle = 1.0
    /// The shares of the time that the busiest thread of each part worked.
    var worker = 0.0
    var library = 0.0
    var simulator = 0.0
    /// Means over time: requests without a response, verdicts whose outcome is not stored, pushes
    /// that wait for room on a connection, pushes that wait for an earlier one, records in flight.
    var openRequests = 0.0
    var reporting = 0.0
    var queued = 0.0
    var blocked = 0.0
    var recordsInFlight = 0.0
    /// How many records may be in flight, and how many requests may be open, in all workers.
    var maxInFlight = 1
    var maxOpenRequests = 1
    /// How many pushes may wait to be sent before no more records are taken.
    var maxQueued = 1
    /// True when the connector allows fewer streams than APNs.
    var limitsStreams = false
    /// True when the connector keeps pushes in an order.
    var keepsOrder = false
    /// True when the connector sends fewer pushes at once while APNs is busy.
    var isAdaptive = false
    var workers = 1
    var partitions = 1
    var processors = 1
    var usesEmbeddedKafka = false
}

/// Adds up what is full, moment by moment.
struct BenchLoadMeter: Equatable, Sendable {
    private var count = 0.0
    private var openRequests = 0.0
    private var reporting = 0.0
    private var queued = 0.0
    private var blocked = 0.0
    private var recordsInFlight = 0.0

    /// Adds a moment.
    mutating func add(_ progress: BenchProgress) {
        count += 1
        openRequests += Double(progress.openRequests)
        reporting += Double(progress.reporting)
        queued += Double(progress.queued)
        blocked += Double(progress.blocked)
        recordsInFlight += Double(progress.recordsInFlight)
    }

    /// Writes the means.
    func write(to load: inout BenchLoad) {
        guard count > 0 else { return }
        load.openRequests = openRequests / count
        load.reporting = reporting / count
        load.queued = queued / count
        load.blocked = blocked / count
        load.recordsInFlight = recordsInFlight / count
    }
}
