import BridgeTesting
import Delivery
import Encoding
import Kafka
import Synchronization
import Telemetry

@testable import KafkaLogin

/// The login of a bridge in a simulated world: a source of tokens that may be away, what the bridge
/// does with its responses, and brokers that end each session of a client after a while.
final class SimulatedLogin {
    /// What a status may read on any thread.
    final class Figures: Sendable {
        private let state = Mutex(LoginFigures())
        var latest: LoginFigures {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    /// Where the tokens come from.
    let source: any SimulatedTokenSource
    /// How long a broker lets a session last: `connections.max.reauth.ms`.
    let maxSession: Duration
    /// How long the group waits for members that are away.
    let groupSession: Duration
    let figures = Figures()
    /// The clock on the wall, in milliseconds since 1970.
    var wallClock: () -> Int64
    /// Called with the partitions of members that have sent nothing for too long.
    var onExpelled: (_ partitions: [Int32]) -> Void = { _ in }
    /// When the source was asked.
    private(set) var requests: [Instant] = []
    /// How often a broker has ended a session.
    private(set) var sessionsEnded = 0
    /// The longest time for which the members could not log in.
    private(set) var maxOutage = Duration.zero
    private unowned let world: World
    private var chance: SeededGenerator
    private var renewal = TokenRenewal()
    /// The token with which the clients log in.
    private var held: String?
    /// Tokens that were issued before are rejected: the keys of their server were replaced.
    private var acceptedFrom = Instant.distantPast
    private var awaySince: Instant?
    private var isAsking = false
    private var isConnecting = false

    init(
        _ world: World, _ source: any SimulatedTokenSource, maxSession: Duration = .seconds(36_000),
        groupSession: Duration = .seconds(45)
    ) {
        self.world = world
        self.source = source
        self.maxSession = maxSession
        self.groupSession = groupSession
        chance = world.seed.generator(163)
        wallClock = { [unowned world] in world.clock.wallClock }
        world.login = self
    }

    /// The clients are created, and ask for a token.
    func begin() {
        disconnect()
        renewal.pace.needed(now: world.clock.now)
        askWhenDue()
    }

    /// Changes what its server of tokens does.
    func serve(_ endpoint: SimulatedTokenServer.Endpoint) {
        (source as? SimulatedTokenServer)?.endpoint = endpoint
    }

    /// The server of tokens replaces its keys: the brokers reject what it has issued.
    func replaceKeys() { acceptedFrom = world.clock.now }

    // MARK: The source

    private func askWhenDue() {
        guard let due = renewal.pace.due else { return }
        world.clock.schedule(at: due) { [unowned self] in
            guard !isAsking, let due = renewal.pace.due, due <= world.clock.now else { return }
            ask()
        }
    }

    private func ask() {
        isAsking = true
        requests.append(world.clock.now)
        let (time, wall) = (world.clock.now, wallClock())
        let found = source.ask(wallClock: wall)
        world.clock.schedule(after: found.delay) { [unowned self] in
            isAsking = false
            finish(found.result, time, wall)
            askWhenDue()
        }
    }

    private func finish(
        _ response: Result<FetchedToken, TokenFault>, _ time: Instant, _ wall: Int64
    ) {
        let problem = renewal.finish(
            response,
            TokenRenewal.Request(
                source: source.name, maxWait: source.request.maxWait, time: time, wallClock: wall),
            shares: (share(of: TokenPace.renewal), share(of: TokenPace.pauses)),
            now: world.clock.now,
            logger: Logger(label: "kafka-login", level: .info, sink: world.log)
        ) { token in
            // As librdkafka checks it.
            guard token.expires > wallClock() else { return "it has expired" }
            held = token.value
            return nil
        }
        figures.latest = renewal.figures
        if problem == nil, renewal.figures.trouble == nil { connect() }
        world.clock.wake()
    }

    private func share(of range: ClosedRange<Double>) -> Double {
        let part = Double(chance.next() % 1000) / 999
        return range.lowerBound + (range.upperBound - range.lowerBound) * part
    }

    // MARK: The brokers

    /// The clients try to log in, and again after a second if they cannot.
    private func connect() {
        guard awaySince != nil, !isConnecting else { return }
        isConnecting = true
        let delay = Duration.milliseconds(chance.number(in: 20...300))
        world.clock.schedule(after: delay) { [unowned self] in tryToLogIn() }
    }

    private func tryToLogIn() {
        let now = world.clock.now
        if let token = held.flatMap(source.issued), token.validUntil > now,
            token.issued >= acceptedFrom
        {
            isConnecting = false
            return logIn(until: min(token.validUntil, now + maxSession))
        }
        if held != nil {
            source.rejected()
            renewal.pace.rejected(now: now, minAge: source.request.minAge)
            askWhenDue()
        }
        for seat in world.seats {
            seat.member?.outage = KafkaOutage(brokers: 3, detail: "authentication failed")
        }
        world.clock.schedule(after: .seconds(1)) { [unowned self] in tryToLogIn() }
    }

    private func logIn(until end: Instant) {
        let now = world.clock.now
        let outage = awaySince.map { now - $0 } ?? .zero
        maxOutage = max(maxOutage, outage)
        awaySince = nil
        for seat in world.seats { seat.member?.outage = nil }
        if outage > groupSession { expel() }
        world.topic.reach.regain()
        world.clock.schedule(at: end) { [unowned self] in
            sessionsEnded += 1
            disconnect()
        }
    }

    /// The group has received nothing from them for too long: they learn that when they are back.
    private func expel() {
        for member in world.seats.compactMap(\.member) where !member.hasLeft {
            let partitions = member.partitions
            member.lose(partitions)
            onExpelled(partitions)
        }
    }

    private func disconnect() {
        world.topic.reach.lose()
        awaySince = world.clock.now
        connect()
    }
}
