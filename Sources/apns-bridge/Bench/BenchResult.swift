internal import Arguments

/// Everything that was measured.
struct BenchResult: Sendable {
    /// What was measured, in the words of the report.
    struct Setting: Equatable, Sendable {
        var connector: String
        /// Kafka's addresses; nil for the embedded one.
        var kafka: String?
        var partitions: Int
        /// The simulator's address; nil for the built-in one.
        var endpoint: String?
        /// The round-trip time that the built-in simulator adds, in milliseconds.
        var rtt = 0
        var workers: Int
        /// The connections of all workers at the end of the backlog.
        var connections: Int
        var events: Int
        var eventBytes: Int
        var pushesPerEvent: Int
        var processors: Int
    }

    /// The delivery of the backlog.
    struct Backlog: Sendable {
        var measurement: BenchMeasurement
        var accepted: Int
        var rejected: Int
        var dropped: Int
        var unknown: Int
        /// Why pushes were not accepted, and how many.
        var reasons: [String: UInt64]
        /// The connections of all workers at the end.
        var connections: Int
        /// The most memory in use, and that before the bridge was started, in bytes.
        var memory: Int64
        var memoryBefore: Int64
        var load: BenchLoad

        var limit: BenchLimit { BenchLimit(load) }

        /// Shorter than what the kernel's clock ticks can measure, or over before all workers had
        /// their partitions.
        var isTooShort: Bool { measurement.seconds < 0.5 }

        init(
            _ measurement: BenchMeasurement, _ end: BenchProgress, memory: Int64,
            memoryBefore: Int64 = 0, load: BenchLoad
        ) {
            self.measurement = measurement
            accepted = end.accepted
            rejected = end.rejected
            dropped = end.dropped
            unknown = end.unknown
            reasons = end.reasons
            connections = end.connections
            self.memory = memory
            self.memoryBefore = memoryBefore
            self.load = load
        }
    }

    /// The delivery of events at an even rate.
    struct Paced: Sendable {
        var measurement: BenchMeasurement
        /// Events per second that were asked for, and that were delivered.
        var wanted: Int
        var reached: Double
        var isHeld: Bool
    }

    var setting: Setting
    var backlog: Backlog
    var paced: Paced?
    var h2load: H2LoadResult?

    /// What did not work as asked; nil if everything did.
    var failure: BenchFailure? {
        guard let paced, !paced.isHeld else { return nil }
        let limit =
            backlog.isTooShort
            ? "raise --events to learn what limits it"
            : "lift the limit: \(backlog.limit.lift(backlog.load))"
        return BenchFailure(
            .failure,
            "the rate of \(paced.wanted)/s cannot be held: \(Decimals.text(paced.reached, 0))/s"
                + " were reached; lower --rate, or \(limit)")
    }
}

extension BenchResult.Paced {
    /// A rate is held when all events were published in time and the last outcome came soon after.
    init(_ measurement: BenchMeasurement, wanted: Int, seconds: Int, pushesPerEvent: Int) {
        self.measurement = measurement
        self.wanted = wanted
        reached = measurement.rate / Double(pushesPerEvent)
        let asked = wanted * seconds * pushesPerEvent
        let timeout = Double(seconds) * 1.02 + 1
        isHeld = measurement.outcomes >= asked && measurement.seconds <= timeout
        // The last outcome is part of the time, which makes the rate look lower than it was.
        if isHeld { reached = min(Double(wanted), max(reached, 0)) }
    }
}
