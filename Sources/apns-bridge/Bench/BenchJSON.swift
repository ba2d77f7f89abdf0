internal import JSON
internal import Telemetry

/// The report for programs: one object.
struct BenchJSON {
    private let result: BenchResult
    private var writer = JSONWriter()

    static func bytes(_ result: BenchResult) -> [UInt8] {
        var json = BenchJSON(result: result)
        json.write()
        return json.writer.bytes + [UInt8(ascii: "\n")]
    }

    private init(result: BenchResult) { self.result = result }

    private mutating func write() {
        writer.beginObject()
        writeSetting()
        writer.name("backlog")
        writeBacklog()
        writer.name("paced")
        writePaced()
        writer.name("h2load")
        writeRival()
        writer.endObject()
    }

    private mutating func writeSetting() {
        let setting = result.setting
        text("connector", setting.connector)
        text("kafka", setting.kafka ?? "embedded")
        text("endpoint", setting.endpoint ?? "built-in")
        number("partitions", setting.partitions)
        number("workers", setting.workers)
        number("connections", setting.connections)
        number("rtt_ms", setting.rtt)
        number("event_bytes", setting.eventBytes)
        number("pushes_per_event", setting.pushesPerEvent)
        number("processors", setting.processors)
    }

    private mutating func writeBacklog() {
        let (backlog, found) = (result.backlog, result.backlog.measurement)
        writer.beginObject()
        number("events", result.setting.events)
        number("accepted", backlog.accepted)
        number("rejected", backlog.rejected)
        number("dropped", backlog.dropped)
        number("unknown", backlog.unknown)
        writer.name("reasons")
        writer.beginObject()
        for (reason, count) in backlog.reasons.sorted(by: { $0.key < $1.key }) {
            number(reason, count)
        }
        writer.endObject()
        decimal("seconds", found.seconds, 3)
        decimal("pushes_per_second", found.rate, 1)
        writer.name("too_short")
        writer.boolean(backlog.isTooShort)
        number("memory_bytes", backlog.memory)
        number("memory_bytes_before", backlog.memoryBefore)
        writeCosts(found)
        writeLimit(backlog)
        writer.endObject()
    }

    private mutating func writeLimit(_ backlog: BenchResult.Backlog) {
        writer.name("limit")
        writer.beginObject()
        text("name", backlog.limit.rawValue)
        text("detail", backlog.limit.message(backlog.load))
        text("action", backlog.limit.lift(backlog.load))
        decimal("idle", backlog.load.idle, 3)
        decimal("requests_open", backlog.load.openRequests, 1)
        decimal("records_in_flight", backlog.load.recordsInFlight, 1)
        decimal("outcomes_unstored", backlog.load.reporting, 1)
        decimal("pushes_to_send", backlog.load.queued, 1)
        number("most_pushes_to_send", backlog.load.maxQueued)
        writer.endObject()
    }

    private mutating func writePaced() {
        guard let paced = result.paced else { return writer.null() }
        let found = paced.measurement
        writer.beginObject()
        number("events_per_second", paced.wanted)
        decimal("events_per_second_reached", paced.reached, 1)
        writer.name("held")
        writer.boolean(paced.isHeld)
        decimal("seconds", found.seconds, 3)
        writer.name("latency_ms")
        writer.beginObject()
        writeLatency("event_to_outcome", found.eventToOutcome)
        writeLatency("event_to_accepted", found.eventToAccepted)
        writeLatency("apns_round_trip", found.roundTrip)
        writer.endObject()
        writeCosts(found)
        writer.endObject()
    }

    private mutating func writeLatency(_ name: String, _ histogram: Histogram) {
        writer.name(name)
        writer.beginObject()
        number("count", histogram.count)
        number("p50", histogram.quantile(0.5))
        number("p90", histogram.quantile(0.9))
        number("p99", histogram.quantile(0.99))
        number("p99_9", histogram.quantile(0.999))
        number("max", histogram.maximum)
        writer.endObject()
    }

    /// Processor time in microseconds per push.
    private mutating func writeCosts(_ found: BenchMeasurement) {
        writer.name("processor_us_per_push")
        writer.beginObject()
        writeCost("bridge", found.costs.bridge, found)
        for part in BenchCosts.Part.allCases {
            writeCost(part.rawValue, found.costs[part], found)
        }
        writer.endObject()
    }

    private mutating func writeCost(
        _ name: String, _ time: BenchCosts.Time, _ found: BenchMeasurement
    ) {
        writer.name(name)
        writer.beginObject()
        decimal("all", found.microseconds(time.all), 3)
        decimal("user", found.microseconds(time.user), 3)
        decimal("kernel", found.microseconds(time.kernel), 3)
        decimal("busiest_thread", time.busiest, 3)
        writer.endObject()
    }

    private mutating func writeRival() {
        guard let h2load = result.h2load else { return writer.null() }
        writer.beginObject()
        number("requests", h2load.requests)
        number("succeeded", h2load.succeeded)
        decimal("requests_per_second", h2load.rate, 1)
        decimal("processor_us_per_request", h2load.microseconds, 3)
        writer.endObject()
    }

    private mutating func text(_ name: String, _ value: String) {
        writer.name(name)
        writer.string(value)
    }

    private mutating func number(_ name: String, _ value: some FixedWidthInteger) {
        writer.name(name)
        writer.integer(value)
    }

    private mutating func decimal(_ name: String, _ value: Double, _ digits: Int) {
        writer.name(name)
        writer.raw([UInt8](Decimals.text(value, digits).utf8))
    }
}
