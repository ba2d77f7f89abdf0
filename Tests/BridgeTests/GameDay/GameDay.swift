import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Engine
import EventLoop
import Synchronization
import TLS
import Telemetry
import Testing

@testable import Bridge

/// A bridge that delivers events at an even pace, and what it shows of itself while an incident
/// happens: a worker in a simulated world, with its status, its metrics and its log.
final class GameDay {
    /// When incidents begin.
    static let start = 30

    let incident: Incident
    let world: World
    let board = FigureBoard()
    private let machine = SharedMachine()
    /// Who issues the certificates that APNs accepts.
    let clients: CertificateAuthority
    let status: BridgeStatus
    var connector: BridgeStatus.Connector { didSet { status.started([connector]) } }
    private var runningLog = RunningLog(summaryInterval: .seconds(30))
    private var isWriting = true
    /// The prefix of the device tokens in events, which decides what APNs responds.
    var tokenPrefix = "ab"
    /// How many offsets are left out before an event, as after a compaction.
    var gap: Int64 = 0
    /// Every so many events one is none; nil for never.
    var garbageInterval: Int?
    /// Every so many events one has expired; nil for never.
    var expiredInterval: Int?
    /// The registry, where events are in Avro, and the ID of the schema that they have.
    private let registry: SimulatedRegistry?
    private var schema: UInt8 = 1
    /// Every so many seconds the process is killed and started again; nil for never.
    var restartInterval: Int?
    /// How often the worker is still to end.
    var endsLeft = 0
    /// How long Kafka takes to store outcomes otherwise.
    var latency: ClosedRange<Duration>?
    /// True while Prometheus can scrape the process.
    var isScraped = true
    /// True while the process is a target of Prometheus.
    var isTarget = true
    /// The name of the process in Prometheus; another pod has another one.
    var instance = "a"
    /// The seconds that have passed.
    private(set) var second = 0
    /// What Prometheus has scraped.
    private(set) var scrapes: [Scrape] = []
    /// The time of the first scrape, in seconds since 1970.
    private var firstScrape: Double?
    /// The metrics that alerts read, and one that only the status page and the dashboard show.
    private static let metrics = AlertRules.metrics.union(["apns_bridge_guard_engaged"])

    /// The lines of the process.
    private(set) var lines: [RunningLog.Line] = []

    /// What the status reads of the machine, on any thread.
    private final class SharedMachine: Sendable {
        private let state = Mutex(
            (
                now: Instant.distantPast, started: Instant.distantPast,
                memory: ProcessMemory(resident: 100 << 20, limit: 512 << 20)
            ))
        /// When the process that runs was started.
        var started: Instant {
            get { state.withLock { $0.started } }
            set { state.withLock { $0.started = newValue } }
        }
        var now: Instant {
            get { state.withLock { $0.now } }
            set { state.withLock { $0.now = newValue } }
        }
        var memory: ProcessMemory {
            get { state.withLock { $0.memory } }
            set { state.withLock { $0.memory = newValue } }
        }
    }

    init(_ incident: Incident) throws {
        self.incident = incident
        let scenario =
            incident.scenario.isEmpty
            ? .builtIn : try Scenario.parse(Array(incident.scenario.utf8), file: "incident.yaml")
        clients = try CertificateAuthority.generate(name: "Clients")
        world = try World(behaviour: scenario, clients: clients) {
            $0.invalidation = GuardSettings(share: 0.3, minimum: 10)
            if incident.isInAvro { $0.schemaIDBytes = 4 }
        }
        registry = incident.isInAvro ? try SimulatedRegistry() : nil
        world.schemas = registry
        world.seats[0].board = board
        // Certificates are issued from the time of this machine on.
        let (start, wallClock) = (world.clock.now, WallClock.milliseconds)
        @Sendable func wallTime(_ time: Instant) -> Int64 {
            wallClock + max(.zero, time - start).wholeMilliseconds
        }
        let parts = BridgeStatus.Machine(
            wallClock: { [machine] in wallTime(machine.now) },
            startTime: { [machine] in wallTime(machine.started) },
            memory: { [machine] in machine.memory })
        status = BridgeStatus(machine: parts) { [machine] in machine.now }
        let worker = BridgeStatus.Worker(
            connector: "orders", number: 0, apps: world.settings.apps.map(\.name), board: board,
            kafka: "kafka:9092")
        connector = BridgeStatus.Connector(name: "orders", workers: [worker])
        if let life = incident.loginLife {
            let login = SimulatedLogin(world, SimulatedTokenServer(world, .issues(life)))
            login.wallClock = { [unowned world] in wallTime(world.clock.now) }
            connector.login = { [figures = login.figures] in figures.latest }
            login.begin()
        }
        status.started([connector])
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        write(0)
    }

    /// Starts the process again, after what ran before was killed.
    func restart() throws {
        machine.started = world.clock.now
        try world.start()
        world.member?.assign([0, 1, 2, 3])
    }

    /// Writes an event, and another one after a while, until the incident is over.
    private func write(_ number: Int) {
        guard isWriting else { return }
        world.topic.append(
            partition: Int32(number % 4), value: event(number), skipping: gap)
        world.clock.schedule(after: .milliseconds(Int64(incident.pace))) { [unowned self] in
            write(number + 1)
        }
    }

    /// The registry goes away, and events have a schema that is not known yet; or it returns.
    func setRegistryAway(_ isAway: Bool) {
        if isAway { schema += 1 }
        registry?.setAway(isAway)
        world.clock.wake()
    }

    /// The value of an event.
    func event(_ number: Int) -> [UInt8] {
        if incident.hasBroadcasts, number % 2 == 0,
            let channel = world.channels["com.example.shop"]?.first
        {
            return Array(Samples.broadcast(to: channel).utf8)
        }
        if incident.isInAvro {
            let token = Samples.token(tokenPrefix + String(1000 + number))
            return SimulatedRegistry.event(token, schema: schema)
        }
        if let garbageInterval, number % garbageInterval == 0 { return Array("no JSON".utf8) }
        if let expiredInterval, number % expiredInterval == 0 {
            let token = Samples.token(tokenPrefix + String(1000 + number))
            return Array(Samples.event(token, more: #","expiration":1600000000"#).utf8)
        }
        return Array(Samples.event(Samples.token(tokenPrefix + String(1000 + number))).utf8)
    }

    /// The status now, with the lines that are due.
    private func look() -> BridgeStatus.Reading {
        machine.now = world.clock.now
        let reading = status.read()
        lines += runningLog.look(reading, at: reading.uptime)
        status.remember(reading)
        return reading
    }

    /// The memory of the process.
    var memory: ProcessMemory {
        get { machine.memory }
        set { machine.memory = newValue }
    }

    /// Lets so many seconds pass, and returns what the bridge shows at their end.
    func pass(seconds: Int) -> BridgeStatus.Reading {
        for _ in 0..<seconds {
            world.run(seconds: 1)
            passed(seconds: 1)
            if endsLeft > 0, second % 10 == 0 { #expect(throws: Never.self) { try endOnce() } }
            if let restartInterval, second % restartInterval == 0 {
                #expect(throws: Never.self) { try restart() }
            }
        }
        return look()
    }

    private func passed(seconds: Int) {
        let reading = look()
        second += seconds
        guard second % AlertRules.interval == 0 else { return }
        let now = Double(reading.wallClock) / 1000
        let start = firstScrape ?? now
        firstScrape = start
        scrapes.append(scrape(reading, from: start))
    }

    private func scrape(_ reading: BridgeStatus.Reading, from start: Double) -> Scrape {
        guard isTarget else { return .missing }
        guard isScraped else { return .failed(instance: instance) }
        return Scrape(
            BridgeMetrics(reading).text, of: instance, from: start, keeping: Self.metrics)
    }

    /// Stops the events, and waits until everything is delivered.
    func finish() -> Bool {
        isWriting = false
        while second % AlertRules.interval != 0 { _ = pass(seconds: 1) }
        for _ in 0..<7200 / AlertRules.interval {
            let isDone = world.runUntilDone(seconds: AlertRules.interval)
            passed(seconds: AlertRules.interval)
            if isDone { return true }
        }
        return false
    }

    /// True if a line of the log, of the worker or of the process, contains this message.
    func hasLogged(_ message: String) -> Bool {
        world.log.all.contains { $0.contains(message) }
            || lines.contains { $0.message.hasPrefix(message) }
    }

    /// True if a summary line has a field with something in it.
    func hasSummarised(_ field: String) -> Bool {
        lines.contains { line in
            guard line.message == "summary", let value = line.metadata[field] else { return false }
            return !["", "0", "[]"].contains("\(value)")
        }
    }
}
