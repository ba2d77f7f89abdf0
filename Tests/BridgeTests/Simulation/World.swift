import APNs
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import EventLoop
import Mapping
import TLS
import Telemetry

@testable import APNsSimulator
@testable import Bridge
@testable import Engine

typealias SimulatedWorker = Worker<SimulatedKernel, SeededRecords, RecordedResults>

/// A worker and its connections to the world.
final class Seat {
    fileprivate(set) var worker: SimulatedWorker?
    fileprivate(set) var member: SeededMember?
    fileprivate(set) var mailbox = Mailbox<WorkerMessage>()
    /// Where the worker publishes its figures; nil where no test reads them.
    var board: FigureBoard?

    fileprivate(set) var hasEnded = false
    var awaitsAssignment: Bool { worker?.awaitsAssignmentSince != nil }
    fileprivate var inFlight: Int { worker?.engine.recordsInFlight ?? 0 }
    var bytes: Int {
        worker?.engine.openBytes ?? 0
    }
    fileprivate var state: EngineState? { worker?.engine.state }
    fileprivate func lag() -> Int64? { worker?.partitionStates().lag }
    fileprivate var counters: EngineCounters { worker?.engine.counters ?? EngineCounters() }
    fileprivate var figures: PushFigures { worker?.engine.figures ?? PushFigures(apps: 1) }

    /// The totals of its worker.
    fileprivate func ended() -> RunTotals {
        let (counters, pushes) = (counters, figures)
        return RunTotals(WorkerFigures(time: .distantPast, counters: counters, pushes: pushes))
    }

    /// How often Kafka has refused a right or a login to its worker.
    var rightsRefused: Int { worker?.faults.rightsRefused ?? 0 }
    /// False when its worker stops, or has ended.
    var isRunning: Bool { worker?.engine.intakeCell.value.phase == .running }
    /// The places of the records of which APNs has a push.
    fileprivate var sent: [(topicPartition: TopicPartition, offset: Int64)] {
        worker?.engine.offsetsInFlight ?? []
    }
    /// The pushes of its worker that are not done.
    var views: [PushView] { worker?.engine.views ?? [] }
    fileprivate var waiting: Int { worker?.engine.waitingRecords ?? 0 }
    /// When its next push is due that waits to be sent again.
    fileprivate var nextRetry: Instant? { worker?.engine.waitingCell.value.nextDue }
}

/// Kafka, a network, APNs and workers, all in one thread and in virtual time.
final class World {
    static let topicName = "shop.orders"
    static let retryName = "apns.retry"
    static let host = "apns.test"
    static let identity = Result { try SimulatorIdentity.generate(hostNames: [host]) }
    /// Its key is unknown to the APNs of every world.
    static let strangers = Result { try SimulatorIdentity.generate(hostNames: [host]) }

    let seed: Seed
    let clock = SimulatedClock()
    let network: SimulatedNetwork
    let topic: SeededTopic
    let results: ResultLog
    let oracle: Oracle
    var habits = SeededMember.Habits()
    var settings: EngineSettings
    var poolSettings = PoolSettings(connections: 2...2, requestTimeout: .seconds(5))
    /// The workers; most worlds have one.
    let seats: [Seat]
    /// What the worker reported.
    private(set) var events: [String] = []
    /// Lines of the worker's log.
    let log = Lines()
    var logLevel = LogLevel.info
    /// The totals of workers that have ended.
    private(set) var totals = RunTotals()
    /// Where its workers put spans; nil where nothing is traced.
    var spans: SpanQueue?
    /// What looks up schemas; nil where events are JSON.
    var schemas: (any SchemaSource)?
    /// What the workers share if they are of one process; nil for one process each.
    var process: SoleRecordLock?
    /// How its workers log in to Kafka; nil where they need not.
    var login: SimulatedLogin?
    /// The faults that it meets.
    var weather: Weather?
    /// The clock of APNs.
    let apnsClock = PeerClock()
    private var starts: UInt64 = 0
    private var memory: SimulatorMemory?
    /// The channels of each app, by bundle identifier: one that stores its latest broadcast, and
    /// one that stores nothing.
    private(set) var channels: [String: [String]] = [:]
    private var endpoint: APNsEndpoint
    private let tokens: ProviderTokens
    private let plan: MappingPlan
    /// What APNs says about the credential that was offered last.
    private(set) var renewal = RenewalResult()

    init(
        seed: Seed = Seed(1), partitions: Int = 4, workers: Int = 1, retryPartitions: Int = 0,
        behaviour: Scenario = .builtIn, plan: MappingPlan? = nil,
        clients: CertificateAuthority? = nil,
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws {
        self.seed = seed
        seats = (0..<workers).map { _ in Seat() }
        network = SimulatedNetwork(clock: clock)
        topic = SeededTopic(
            Self.topicName, partitions: partitions, clock: clock,
            second: (Self.retryName, retryPartitions))
        results = ResultLog(clock: clock)
        results.reach = topic.reach
        self.plan = try plan ?? Samples.selectivePlan()
        settings = try Samples.settings(plan: self.plan)
        settings.maxInFlight = 50
        if retryPartitions > 0 { settings.results.retry = Self.retryName }
        tweak(&settings)
        topic.metadataLimit = settings.commitMetadata
        let identity = try Self.identity.get()
        tokens = ProviderTokens(
            key: identity.authenticationKey, keyID: identity.keyID, teamID: identity.teamID)
        endpoint = APNsEndpoint(
            host: Self.host,
            trust: try TLSContext.client(trustRoots: .pem(identity.authorityPEM), alpn: ["h2"]))
        oracle = Oracle(topic: topic, results: results, settings: settings)
        try addHost(behaviour, clients)
        readRetriesAgain()
    }

    deinit {
        clock.end()
        topic.end()
        network.rules = []
        results.rules = []
        results.onStored = { _ in }
        results.onAcknowledged = { _ in }
        // Closes its sockets and leaves its group while there is still a world to leave.
        for seat in seats { seat.worker = nil }
    }

    /// Where a member publishes, for the oracle to see.
    private func recordedResults(of member: SeededMember) -> RecordedResults {
        RecordedResults(log: results, seed: seed) { [oracle, weak member] record in
            guard record.topic == Self.retryName, let member else { return }
            oracle.checkRetry(record.headers, of: member)
        }
    }

    /// Feeds what is written to the retry topic back to the source.
    private func readRetriesAgain() {
        results.onStored = { [topic, oracle] record in
            guard record.topic == Self.retryName else { return }
            let count = topic.partitions.count - topic.firstCount
            let number = (record.key ?? []).reduce(topic.commits.count) { $0 + Int($1) } % count
            let partition = Int32(topic.firstCount + number)
            let offset = topic.append(
                partition: partition, key: record.key, value: record.value,
                headers: record.headers)
            oracle.noteStored(record.headers, partition, offset)
        }
    }

    private func addHost(_ behaviour: Scenario, _ clients: CertificateAuthority?) throws {
        var identity = try Self.identity.get()
        if let clients { identity.clientAuthorityPEM = clients.certificatePEM }
        var configuration = SimulatorConfiguration(identity: identity, scenario: behaviour)
        configuration.memory?.requests = 20_000
        var identifiers = seed.generator(151)
        configuration.seed = identifiers.next()
        let service = try SimulatorService(configuration)
        memory = service.memory
        for app in settings.apps.map(\.bundleID) {
            channels[app] = [true, false].map { storesLatest in
                let channel = service.channels.make(
                    for: app, storesLatest: storesLatest, at: clock.wallClock)
                return String(decoding: channel, as: UTF8.self)
            }
        }
        for last in 1...2 as ClosedRange<UInt8> {
            let address = SocketAddress(address: [17, 0, 0, last], port: 443)
            network.add(host: Self.host, at: address) { [weak self] in self?.peer(of: service) }
        }
    }

    private func peer(of service: SimulatorService) -> PeerWithClock? {
        let moment = SimulatorMoment(now: clock.now, wallClock: clock.wallClock)
        let peer = try? SimulatorPeer(service: service, at: apnsClock.moment(moment))
        var check = SlowStartCheck(
            first: poolSettings.firstRequests, roundTrip: network.latency * 2)
        let total = { [memory] in memory?.reasons.reduce(0) { $0 + $1.count } ?? 0 }
        return peer.map {
            PeerWithClock($0, apnsClock, total: total) { [weak self] time, count in
                check.arrived(count, at: time).map { self?.oracle.fail($0) }
            }
        }
    }

    /// Starts a worker. The one before is gone as after SIGKILL, unless it has ended.
    func start(_ number: Int = 0) throws {
        let seat = seats[number]
        seat.worker = nil
        seat.hasEnded = false
        starts += 1
        // A process trusts the clock that it finds.
        oracle.doubtfulLead = nil
        let member = topic.join(seed: seed, habits: habits)
        seat.member = member
        seat.mailbox = Mailbox()
        let route = APNsRoute(
            endpoint: endpoint, tokens: tokens, settings: poolSettings)
        let routes = settings.apps.map(\.route).max() ?? 0
        let pools = APNsPools(
            Array(repeating: route, count: routes + 1), apps: settings.routesOfQueues,
            firstToken: WorkerToken.connections)
        let log = log
        seat.worker = SimulatedWorker(
            kernel: SimulatedKernel(network: network, seed: Seed(seed.number &+ starts << 32)),
            source: SeededRecords(member), sink: recordedResults(of: member),
            pools: pools, plan: plan, settings: settings, mailbox: seat.mailbox,
            board: seat.board, spans: spans, schemas: schemas,
            soleRecords: process ?? SoleRecordLock(),
            logger: Logger(label: "orders", level: logLevel, sink: log)
        ) { [weak self] in self?.events.append("\($0)") }
    }

    /// Offers the worker another credential: the same key again, or one that APNs does not know.
    func renew(isKnown: Bool, _ number: Int = 0) throws {
        let identity = try (isKnown ? Self.identity : Self.strangers).get()
        let tokens = ProviderTokens(
            key: identity.authenticationKey, keyID: identity.keyID, teamID: identity.teamID)
        let route = APNsRoute(endpoint: endpoint, tokens: tokens, settings: poolSettings)
        offer(route, number)
    }

    /// Offers the worker a certificate.
    func renew(_ certificate: ClientCertificate, _ number: Int = 0) throws {
        let credential = APNsCredential.certificate(certificate)
        var endpoint = endpoint
        endpoint.trust = try credential.tls(trusting: .pem(Self.identity.get().authorityPEM))
        offer(
            APNsRoute(endpoint: endpoint, credential: credential, settings: poolSettings), number)
    }

    private func offer(_ route: APNsRoute, _ number: Int) {
        renewal = RenewalResult()
        seats[number].mailbox.post(.renew(route: 0, route, renewal))
        clock.wake()
    }

    /// Deletes a partition's log and starts a new one.
    func replaceLog(of partition: Int32) {
        oracle.forget(partition)
        topic.replaceLog(partition: partition)
    }

    /// Removes the last records of a partition.
    func truncate(_ partition: Int32, from offset: Int64) {
        oracle.forget(partition, from: offset)
        topic.truncate(partition: partition, from: offset)
    }

    /// Deletes a partition, which does not exist until ``SeededTopic/recreate(partition:)``.
    func delete(_ partition: Int32) {
        oracle.forget(partition)
        topic.delete(partition: partition)
    }

    /// Asks the worker to stop, as SIGTERM does.
    func drain(_ number: Int = 0) {
        seats[number].mailbox.post(.drain)
        clock.wake()
    }

    /// Asks the worker to release the guard, as SIGUSR1 does.
    func release(_ number: Int = 0) {
        seats[number].mailbox.post(.release(app: nil))
        clock.wake()
    }

    /// An operator pauses or resumes a worker.
    func pause(_ isPaused: Bool, _ number: Int = 0) {
        seats[number].mailbox.post(.pause(isPaused))
        clock.wake()
    }

    /// One turn of each worker, and the checks that hold after every turn.
    func turn() {
        let before = clock.now
        for seat in seats {
            let (start, retry) = (clock.now, seat.nextRetry)
            seat.worker?.turn()
            if let retry { oracle.check(due: max(retry, start), at: clock.now) }
            oracle.check(inFlight: seat.inFlight, waiting: seat.waiting)
            oracle.trials.note(topic)
            if !oracle.trials.isIdle, let member = seat.member {
                let sent = process == nil ? seat.sent : seats.flatMap(\.sent)
                oracle.trials.mistake(member, sent: sent).map { oracle.fail($0) }
            }
            weather?.strike(seat)
            // Its kernel would wait for its next turn, and so would time.
            guard seat.worker?.phase == .ended else { continue }
            seat.hasEnded = true
            totals.add(seat.ended())
            oracle.check(left: totals.left)
            seat.worker = nil
        }
        oracle.check(hasMoved: clock.now > before)
    }

    /// Turns until `isOver` or until so much virtual time has passed; true when it was over.
    @discardableResult
    func run(seconds: Int, until isOver: () -> Bool = { false }) -> Bool {
        let end = clock.now + .seconds(seconds)
        while !isOver() {
            guard clock.now < end, oracle.mistakes.isEmpty, !hasEnded else { return isOver() }
            turn()
        }
        return true
    }

    /// Runs until everything is committed.
    @discardableResult
    func runUntilDone(seconds: Int = 600) -> Bool {
        run(seconds: seconds) { self.topic.isDone }
    }

    var hasEnded: Bool { seats.allSatisfy { $0.hasEnded } }
    var member: SeededMember? { seats[0].member }
    var bytesInFlight: Int { seats[0].bytes }
    /// The records that wait outside the window.
    var waiting: Int { seats[0].worker?.engine.waitingRecords ?? 0 }
    var counters: EngineCounters { seats[0].worker?.counters ?? EngineCounters() }

    /// The load of the first worker.
    var state: EngineState? { seats[0].state }
    /// How many offsets the first worker is behind.
    var lag: Int64? { seats[0].lag() }

    /// Every request that APNs has received, oldest first.
    var requests: [JudgedRequest] {
        var filter = RequestFilter()
        filter.limit = .max
        return memory?.requests(matching: filter).requests.reversed() ?? []
    }

    /// Everything that happened, in order.
    var history: [String] {
        topic.commits.map { "\($0)" }
            + results.entries.map { entry in
                let value = entry.record.value.map { String(decoding: $0, as: UTF8.self) }
                return "\(entry.time) \(entry.record.topic) \(value ?? "null")"
            }
    }
}

extension World: CustomStringConvertible {
    /// A hash of everything that happened: the same seed has the same.
    var trace: String {
        let hash = history.joined(separator: "\n").utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 16)
    }

    /// How to repeat what happened.
    var description: String {
        "repeat it with: APNS_BRIDGE_SEED=\(seed.number) swift test --filter 'in bad weather'"
            + " (trace \(trace))"
    }
}

/// Keeps lines of a log.
final class Lines: LogSink, @unchecked Sendable {
    private(set) var all: [String] = []

    func write(_ line: [UInt8]) { all.append(String(decoding: line, as: UTF8.self)) }

    func clear() { all = [] }
}
