internal import Arguments
internal import Bridge
internal import Configuration
internal import Delivery
internal import Engine
internal import EventLoop
internal import Kafka
internal import Telemetry

/// One bridge that delivers a backlog, then events at an even rate, while it is measured.
struct BenchRun {
    let settings: BenchSettings
    let connector: Connector
    let source: BenchSource
    let publisher: BenchPublisher
    let partitions: Int
    var progress = ProgressLine()
    private let status = BridgeStatus()
    private let supervisor: Supervisor
    private var foreign: Set<Int> = []
    private var memory: Int64 = 0
    private var flow: BenchFlow { publisher.flow }

    /// How long nothing may happen.
    private static let timeout = Duration.seconds(30)

    init(
        _ settings: BenchSettings, _ connector: Connector, _ source: BenchSource,
        _ publisher: BenchPublisher, partitions: Int
    ) {
        self.settings = settings
        self.connector = connector
        self.source = source
        self.publisher = publisher
        self.partitions = partitions
        // Its failure is thrown, with advice for this command.
        supervisor = Supervisor(
            [connector], logger: Logger(label: "apns-bridge", level: .critical), status: status)
    }

    /// The measurements.
    mutating func run() async throws -> (backlog: BenchResult.Backlog, paced: BenchResult.Paced?) {
        let (publisher, count) = (publisher, settings.events)
        let publishing = Task { try await blocking("publisher") { publisher.run(count) } }
        let result: (BenchResult.Backlog, BenchResult.Paced?)
        do {
            try await awaitFill()
            result = try await measure()
        } catch {
            flow.end()
            try await publishing.value
            throw error
        }
        flow.end()
        try await publishing.value
        return result
    }

    private mutating func awaitFill() async throws {
        defer { progress.end() }
        while flow.phase < .filled {
            try await Task.sleep(for: .milliseconds(20))
            try checkPublisher()
            let message = "filling  \(flow.published) of \(settings.events) events"
            progress.show { message }
        }
    }

    /// Runs the bridge; it has ended when this returns.
    private mutating func measure() async throws -> (BenchResult.Backlog, BenchResult.Paced?) {
        foreign = Set(BenchUsage.read().threads.keys)
        let memoryBefore = ProcessUsage.residentBytes ?? 0
        let supervisor = supervisor
        let running = Task { try await supervisor.run() }
        let ending = BenchEnding(running)
        do {
            var backlog = try await measureBacklog(ending)
            backlog.memoryBefore = memoryBefore
            let paced = settings.rate > 0 ? try await measurePace(ending) : nil
            progress.end()
            await supervisor.drain()
            _ = try await running.value
            return (backlog, paced)
        } catch {
            progress.end()
            await supervisor.drain()
            _ = try? await running.value
            throw error
        }
    }

    /// Waits until the whole backlog is delivered. What is measured begins with the first outcome,
    /// unless most of them have come by then.
    private mutating func measureBacklog(
        _ ending: BenchEnding
    ) async throws -> BenchResult.Backlog {
        let wanted = settings.events * source.pushesPerEvent
        var start: BenchMeasurement.Moment?
        var meter = BenchLoadMeter()
        var watch = BenchWatch()
        while true {
            let now = try await observe(ending, every: .milliseconds(20), &watch)
            let stored = now.stored
            progress.show(isLast: stored >= wanted) {
                "backlog  \(stored) of \(wanted) pushes  \(now.pushes) open"
            }
            if start == nil || start?.progress.stored == 0 && stored > 0 && stored < wanted / 2 {
                guard now.joined == connector.workers else { continue }
                start = moment(now)
            }
            if stored >= wanted { break }
            meter.add(now)
        }
        let end = moment(BenchProgress(status.figures))
        let measurement = BenchMeasurement(from: start ?? end, to: end, foreign: foreign)
        var load = BenchLoad()
        meter.write(to: &load)
        describe(measurement, end.progress, in: &load)
        return BenchResult.Backlog(measurement, end.progress, memory: memory, load: load)
    }

    private func describe(
        _ measurement: BenchMeasurement, _ end: BenchProgress, in load: inout BenchLoad
    ) {
        let costs = measurement.costs
        let streams = min(connector.apns.maxStreams ?? Self.streams, Self.streams)
        load.rate = measurement.rate
        load.allowedRate = allowedRate
        load.idle = costs.idle
        load.worker = costs[.worker].busiest
        load.library = costs[.library].busiest
        load.simulator = costs[.simulator].busiest
        load.maxInFlight = connector.workers * connector.delivery.maxInFlight
        load.maxQueued =
            connector.workers * connector.apns.apps.count * EngineSettings.usualMaxQueued
        load.maxOpenRequests = max(1, end.connections) * streams
        load.limitsStreams = streams < Self.streams
        load.keepsOrder = connector.delivery.ordering != .none
        load.isAdaptive = connector.delivery.rate.isAdaptive
        load.workers = connector.workers
        load.partitions = partitions
        load.processors = BenchUsage.processors
        load.usesEmbeddedKafka = settings.bootstrap == nil
    }

    /// How many pushes per second `delivery.rate` allows; nil for any number.
    private var allowedRate: Double? {
        connector.delivery.rate.perApp.map { limit in
            let owners = Double(connector.workers * connector.apns.apps.count)
            return Double(limit.count) / (limit.period / .seconds(1)) * owners
        }
    }

    /// The streams that APNs, and the simulator, allow on a connection.
    static let streams = 1000

    /// Publishes at an even rate, and waits for the outcomes.
    private mutating func measurePace(_ ending: BenchEnding) async throws -> BenchResult.Paced {
        var watch = BenchWatch()
        let start = moment(try await observe(ending, every: .milliseconds(100), &watch))
        let before = flow.published
        flow.orders.post(.pace(rate: settings.rate, seconds: settings.seconds))
        let asked = settings.rate * settings.seconds
        while true {
            let isPublished = flow.phase == .paced
            let now = try await observe(ending, every: .milliseconds(50), &watch)
            let stored = now.stored - start.progress.stored
            let published = flow.published - before
            let isDone = isPublished && stored >= published * source.pushesPerEvent
            let message = "paced    \(stored) of \(asked * source.pushesPerEvent) pushes"
            progress.show(isLast: isDone) { message }
            if isDone { break }
        }
        let end = moment(BenchProgress(status.figures))
        let measurement = BenchMeasurement(from: start, to: end, foreign: foreign)
        return BenchResult.Paced(
            measurement, wanted: settings.rate, seconds: settings.seconds,
            pushesPerEvent: source.pushesPerEvent)
    }

    /// Waits a little, asks the workers for their figures, and throws when the measurement
    /// cannot continue.
    private mutating func observe(
        _ ending: BenchEnding, every pause: Duration, _ watch: inout BenchWatch
    ) async throws -> BenchProgress {
        await supervisor.requestReports()
        try await Task.sleep(for: pause)
        try checkPublisher()
        try ending.check()
        let now = BenchProgress(status.figures)
        flow.finish(now.stored / source.pushesPerEvent)
        memory = max(memory, ProcessUsage.residentBytes ?? 0)
        if let app = now.suspendedApps.first {
            throw BenchFailure(
                .configuration, "sending is suspended: APNs rejects the credential or the bundle"
                    + " identifier of \(app): pass the --state of the simulator, or a connector"
                    + " file whose credentials it accepts")
        }
        guard watch.isMoving(now, within: Self.timeout) else {
            throw BenchFailure(
                .unavailable, "no push was finished for 30 s: \(whatToCheck(now))")
        }
        return now
    }

    /// Why nothing may have happened for so long.
    private func whatToCheck(_ now: BenchProgress) -> String {
        if let allowedRate, allowedRate * (Self.timeout / .seconds(1)) < 1 {
            return "delivery.rate allows less than one push in that time: raise it"
        }
        guard settings.endpoint != nil else { return "check Kafka" }
        return now.connections == 0
            ? "no connection to APNs: check --endpoint"
            : "check Kafka, and that --endpoint is a simulator that responds"
    }

    private func checkPublisher() throws(BenchFailure) {
        if flow.signal > 0 {
            throw BenchFailure(ExitCode(128 + flow.signal), "interrupted: nothing was measured")
        }
        if let failure = flow.failure {
            throw BenchFailure(
                .unavailable, "cannot publish events: \(failure.message): check Kafka, and this"
                    + " user's rights for the topic '\(publisher.topic)'")
        }
    }

    private func moment(_ progress: BenchProgress) -> BenchMeasurement.Moment {
        BenchMeasurement.Moment(
            progress: progress, usage: BenchUsage.read(),
            time: progress.time > .distantPast ? progress.time : MonotonicClock.now)
    }
}

/// Notices when nothing happens any more.
struct BenchWatch {
    private var last = 0
    private var since = MonotonicClock.now

    /// True while pushes are finished.
    mutating func isMoving(_ progress: BenchProgress, within timeout: Duration) -> Bool {
        let now = MonotonicClock.now
        if progress.stored != last { since = now }
        last = progress.stored
        return now - since < timeout
    }
}
