import BridgeTesting
import Configuration
import Delivery
import Encoding
import HTTPClient
import Kafka
import Synchronization
import Telemetry

@testable import KafkaLogin

/// The login of a bridge with OAuth in a simulated world: an endpoint that may be away, what the
/// bridge does with its responses, and brokers that end each session of a client after a while.
final class SimulatedLogin {
    /// What the endpoint does when it is asked.
    struct Endpoint {
        /// How long its response takes; the client waits for ten seconds.
        var delay = Duration.milliseconds(5)
        /// The life of its tokens in seconds; nil where it gives out none.
        var life: Int64?
        /// Its response where it gives out none.
        var response = HTTPResponse.failed("connection refused")

        static func issues(_ life: Int64, after delay: Duration = .milliseconds(5)) -> Endpoint {
            Endpoint(delay: delay, life: life)
        }

        static func responds(_ status: Int, _ body: String) -> Endpoint {
            Endpoint(response: .responded(status: status, body: Array(body.utf8)))
        }

        static let away = Endpoint()
    }

    /// A token as the brokers see it.
    private struct Held {
        var issued: Instant
        var validUntil: Instant
    }

    /// What a status may read on any thread.
    final class Figures: Sendable {
        private let state = Mutex(LoginFigures())
        var latest: LoginFigures {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    private static let timeout = Duration.seconds(10)

    /// What the endpoint does now.
    var endpoint: Endpoint
    /// How long a broker lets a session last: `connections.max.reauth.ms`.
    let maxSession: Duration
    /// How long the group waits for members that are away.
    let groupSession: Duration
    let figures = Figures()
    /// The clock on the wall, in milliseconds since 1970.
    var wallClock: () -> Int64
    /// Called with the partitions of members that the group has not heard of for too long.
    var onExpelled: (_ partitions: [Int32]) -> Void = { _ in }
    /// When the endpoint was asked.
    private(set) var requests: [Instant] = []
    /// How often a broker has ended a session.
    private(set) var sessionsEnded = 0
    /// The longest time for which the members could not log in.
    private(set) var maxOutage = Duration.zero
    private unowned let world: World
    private var chance: SeededGenerator
    private var renewal = TokenRenewal()
    private var held: Held?
    private var tokenCount = 0
    /// Tokens that were issued before are rejected: the keys of their server were replaced.
    private var acceptedFrom = Instant.distantPast
    private var awaySince: Instant?
    private var isAsking = false
    private var isConnecting = false

    init(
        _ world: World, _ endpoint: Endpoint, maxSession: Duration = .seconds(36_000),
        groupSession: Duration = .seconds(45)
    ) {
        self.world = world
        self.endpoint = endpoint
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

    /// The server of tokens replaces its keys: the brokers reject what it has issued.
    func replaceKeys() { acceptedFrom = world.clock.now }

    // MARK: The endpoint

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
        let endpoint = endpoint
        let (time, wall) = (world.clock.now, wallClock())
        let delay = min(endpoint.delay, Self.timeout)
        world.clock.schedule(after: delay) { [unowned self] in
            isAsking = false
            finish(endpoint.delay > delay ? .away : endpoint, time, wall)
            askWhenDue()
        }
    }

    private func finish(_ endpoint: Endpoint, _ time: Instant, _ wall: Int64) {
        var oauth = KafkaLoginSettings.OAuth(tokenURL: "https://login.test", clientID: "bridge")
        oauth.clientSecret = "open sesame"
        let response = Self.token(in: self.response(of: endpoint), oauth, wall)
        let problem = renewal.finish(
            response,
            TokenRenewal.Request(
                source: oauth.tokenURL, maxWait: .seconds(86_400), time: time, wallClock: wall),
            shares: (share(of: TokenPace.renewal), share(of: TokenPace.pauses)),
            now: world.clock.now,
            logger: Logger(label: "kafka-login", level: .info, sink: world.log)
        ) { token in
            // As librdkafka checks it.
            guard token.expires > wallClock() else { return "it has expired" }
            held = Held(issued: time, validUntil: time + .seconds(endpoint.life ?? 0))
            return nil
        }
        figures.latest = renewal.figures
        if problem == nil, renewal.figures.trouble == nil { connect() }
        world.clock.wake()
    }

    private func response(of endpoint: Endpoint) -> HTTPResponse {
        guard let life = endpoint.life else { return endpoint.response }
        tokenCount += 1
        let body = #"{"access_token":"t\#(tokenCount)","expires_in":\#(life)}"#
        return .responded(status: 200, body: Array(body.utf8))
    }

    private static func token(
        in response: HTTPResponse, _ oauth: KafkaLoginSettings.OAuth, _ wall: Int64
    ) -> Result<FetchedToken, TokenFault> {
        var request = TokenRequest(.oauth(oauth))
        do throws(TokenFault) {
            return .success(try request.fetch(oauth, now: wall) { _, _ in response })
        } catch {
            return .failure(error)
        }
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
        if let held, held.validUntil > now, held.issued >= acceptedFrom {
            isConnecting = false
            return logIn(until: min(held.validUntil, now + maxSession))
        }
        if held != nil {
            renewal.pace.rejected(now: now)
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

    /// Nobody has heard of the members for too long: they learn that when they are back.
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
