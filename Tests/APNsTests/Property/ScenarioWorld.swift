import APNsSimulator
import BridgeTesting
import Delivery
import EventLoop
import TLS

@testable import APNs

/// A pool and the simulator with one of its shipped scenarios, in virtual time.
final class ScenarioWorld {
    private static let host = "apns.test"
    private static let identity = Result { try SimulatorIdentity.generate(hostNames: [host]) }

    private let clock = SimulatedClock()
    private let network: SimulatedNetwork
    private var kernel: SimulatedKernel
    private var pool: APNsPool
    private var open: Set<Int> = []
    /// What is to be sent, again or for the first time.
    private var waiting: [Int] = []
    private var count = 0
    private var resendsInDoubt = false
    private(set) var accepted: Set<Int> = []
    private(set) var inDoubt: [Int] = []
    private(set) var refusals: Set<String> = []
    private(set) var failures: [String] = []
    private(set) var mistakes: [String] = []

    /// With a scenario by its name; without one, nothing goes wrong.
    init(_ name: String?, firstRequests: Int = 8) throws {
        network = SimulatedNetwork(clock: clock)
        kernel = SimulatedKernel(network: network, seed: Seed(5))
        let identity = try Self.identity.get()
        let scenario =
            try name.map {
                try Scenario.parse(ScenarioLibrary.text(of: $0) ?? [], file: $0)
            } ?? Scenario(responses: [])
        var settings = PoolSettings(connections: 2...2, requestTimeout: .seconds(5))
        settings.firstRequests = firstRequests
        let service = try SimulatorService(
            SimulatorConfiguration(identity: identity, scenario: scenario))
        let endpoint = APNsEndpoint(
            host: Self.host,
            trust: try TLSContext.client(trustRoots: .pem(identity.authorityPEM), alpn: ["h2"]))
        let tokens = ProviderTokens(
            key: identity.authenticationKey, keyID: identity.keyID, teamID: identity.teamID)
        pool = APNsPool(
            endpoint: endpoint, tokens: tokens,
            settings: settings, firstToken: 16)
        let address = SocketAddress(address: [17, 0, 0, 1], port: 443)
        network.add(host: Self.host, at: address) { [clock] in
            let moment = SimulatorMoment(now: clock.now, wallClock: clock.wallClock)
            return try? SimulatorPeer(service: service, at: moment)
        }
        pool.start(&kernel)
    }

    deinit { clock.end() }

    /// The pushes of a backlog: 1,000, unless `APNS_BRIDGE_BACKLOG` says how many.
    static var backlog: Int {
        TestSetting.number("APNS_BRIDGE_BACKLOG").map { Int(clamping: $0) } ?? 1000
    }

    /// How many connections were asked for.
    var connections: Int { network.connectionCount }
    /// How many pushes there were.
    var pushes: Int { count }

    /// Sends two pushes every tenth of a second for a minute, and resends what was not sent; then
    /// waits for open requests.
    func run() {
        let end = clock.now + .seconds(60)
        while clock.now < end {
            waiting.append(contentsOf: [count, count + 1])
            count += 2
            turn(until: clock.now + .milliseconds(100))
        }
        while !(waiting.isEmpty && open.isEmpty), clock.now < end + .seconds(60) {
            turn(until: clock.now + .milliseconds(100))
        }
    }

    /// Sends so many pushes as fast as it can, those in doubt again, and returns how long it takes
    /// until all are accepted; nil if they are not within a day.
    func drain(_ pushes: Int) -> Duration? {
        count = pushes
        resendsInDoubt = true
        waiting = Array((0..<pushes).reversed())
        let begin = clock.now
        while accepted.count < pushes {
            guard clock.now < begin + .seconds(86_400) else { return nil }
            turn(until: clock.now + .milliseconds(10))
        }
        return clock.now - begin
    }

    private func turn(until time: Instant) {
        repeat {
            var wakeups: [Wakeup] = []
            kernel.wait(until: min(pool.nextDeadline ?? time, time)) { wakeups.append($0) }
            for wakeup in wakeups { pool.wake(wakeup, &kernel) }
            pool.expire(&kernel)
            while let tag = waiting.last, send(tag) { waiting.removeLast() }
            pool.flush(&kernel)
            while let event = pool.nextEvent() { handle(event) }
        } while clock.now < time
    }

    private func send(_ tag: Int) -> Bool {
        var notification = `A request`.notification()
        notification.destination.identifier = [UInt8](repeating: UInt8(ascii: "a"), count: 64)
        let text = String(repeating: "x", count: tag % 4 == 0 ? 4000 : 100)
        notification.payload = [UInt8](#"{"aps":{"alert":"\#(text)"}}"#.utf8)
        let id = NotificationID(high: 9, low: UInt64(tag))
        guard pool.send(notification, id: id, tag: UInt64(tag), &kernel) else { return false }
        if !open.insert(tag).inserted { mistakes.append("\(tag) was taken twice") }
        return true
    }

    private func handle(_ event: PoolEvent) {
        switch event {
        case .responded(let tag, let response, _):
            end(Int(tag))
            if response.status == 200 { accepted.insert(Int(tag)) }
            if [.retryNow, .retryOnce, .retryLater].contains(response.reaction) {
                waiting.append(Int(tag))
            }
        case .notSent(let tag), .unacceptable(let tag, _):
            end(Int(tag))
            waiting.append(Int(tag))
        case .unsendable(let tag, let reason):
            end(Int(tag))
            mistakes.append("\(tag) cannot be sent: \(reason)")
        case .inDoubt(let tag, _):
            end(Int(tag))
            inDoubt.append(Int(tag))
            if resendsInDoubt { waiting.append(Int(tag)) }
        case .failed(let failure): failures.append(failure.message)
        case .credentialRefused(let reason, _): refusals.insert(reason)
        case .connected, .renewed, .renewalRefused: break
        }
    }

    private func end(_ tag: Int) {
        if open.remove(tag) == nil { mistakes.append("\(tag) has ended twice") }
    }
}
