import BridgeTesting
import Delivery
import Encoding
import EventLoop
import HTTP2
import TLS

@testable import APNs

/// A pool, random servers, a network with faults, and the checks of all of it.
final class PoolWorld {
    /// How large payloads are.
    static let bodySizes = [2, 200, 4096]
    private static let peace = Instant.after(.seconds(60))
    private static let host = "apns.test"
    private static let address = SocketAddress(address: [10, 0, 0, 1], port: 443)
    private static let authority = Result { try CertificateAuthority.generate(name: "Test") }
    private static let identity = Result { try authority.get().issue(hostNames: [host]) }
    private static let key = Result { try SigningKey.generate() }

    private let clock = SimulatedClock()
    private let network: SimulatedNetwork
    private let record: PeerRecord
    private var kernel: SimulatedKernel
    private var pool: APNsPool
    private var dice: SeededGenerator
    /// When a suspended app probes: of its own, so that the other faults of a seed stay the same.
    private var probes: SeededGenerator
    /// When the connection of the last probe was opened.
    private var latestProbe = Instant.distantPast
    /// How long times with and without requests last, in some worlds.
    private var quietAfter: Duration?
    private var open: Set<Int> = []
    private var notSent: [Int] = []
    private var nextTag = 0
    /// How many requests the pool has accepted.
    var sent: Int { nextTag }
    /// How many got responses with 200.
    private(set) var accepted = 0
    /// What was broken of the pool's promises.
    private(set) var mistakes: [String] = []

    init(_ seed: Seed) throws {
        dice = seed.generator(11)
        probes = seed.generator(15)
        network = SimulatedNetwork(clock: clock)
        record = PeerRecord(clock, peace: Self.peace)
        kernel = SimulatedKernel(network: network, seed: seed)
        let roots = try TrustRoots.pem(Self.authority.get().certificatePEM)
        let endpoint = APNsEndpoint(
            host: Self.host, trust: try TLSContext.client(trustRoots: roots))
        let tokens = ProviderTokens(
            key: try Self.key.get(), keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
        pool = APNsPool(
            endpoint: endpoint, tokens: tokens, settings: Self.settings(&dice), firstToken: 16)
        let issued = try Self.identity.get()
        let context = try TLSContext.server(
            certificatePEM: issued.certificatePEM, keyPEM: issued.keyPEM)
        network.latency = .milliseconds(dice.number(in: 1...80))
        network.sendBuffer = [1000, 20_000, 262_144][dice.below(3)]
        network.rules = [.peace(from: Self.peace), Self.faults(seed.generator(12))]
        var quiet = seed.generator(14)
        if quiet.happens(40) {
            network.forgetsAfter = .seconds(quiet.number(in: 1...20))
            quietAfter = quiet.happens(50) ? .seconds(quiet.number(in: 2...30)) : nil
        }
        var peers = seed.generator(13)
        network.add(host: Self.host, at: Self.address) { [record] in
            let dice = SeededGenerator(seed: peers.next())
            return try? RandomPeer(context, record, dice: dice)
        }
        pool.start(&kernel)
    }

    deinit { clock.end() }

    private static func settings(_ dice: inout SeededGenerator) -> PoolSettings {
        let minimum = 1 + dice.below(4)
        let maximum = minimum + dice.below(3)
        var settings = PoolSettings(connections: minimum...maximum, requestTimeout: .seconds(5))
        settings.maxStreams = [1, 3, 50, .max][dice.below(4)]
        settings.maxAge = .seconds(dice.number(in: 5...100))
        settings.pingInterval =
            dice.happens(80) ? .seconds(dice.number(in: 1...20)) : nil
        settings.provenFor = .seconds(dice.number(in: 1...20))
        settings.pingTimeout = .seconds(2)
        settings.stableAfter = .seconds(2)
        settings.minBackoff = .milliseconds(250)
        settings.maxBackoff = .seconds(4)
        settings.minStreams = [1 << 20, 1 << 30 - 30][dice.below(2)]
        return settings
    }

    private static func faults(_ generator: SeededGenerator) -> FaultRule {
        var dice = generator
        let bad = dice.below(4)
        return FaultRule { event, _ in
            switch event {
            case .lookup: return dice.below(100) < bad * 3 ? .failLookup : nil
            case .connect:
                return dice.below(100) < bad * 4 ? [.refuse, .stall][dice.below(2)] : nil
            case .toPeer, .toClient:
                switch dice.below(1000) {
                case 0..<bad: return .cut(after: [0, 1, 100, .max][dice.below(4)])
                case 10..<(10 + bad): return .stall
                case 20..<(20 + 10 * bad):
                    return .delay(by: .milliseconds(dice.number(in: 1...500)))
                default: return nil
                }
            }
        }
    }

    /// Sends through all the faults, and then a while without any; judges what happened to it.
    func run() {
        while clock.now < Self.peace { turn(sending: dice.below(12)) }
        let before = accepted
        while clock.now < .after(.seconds(180)), accepted < before + 20 { turn(sending: 1) }
        if accepted < before + 20 { mistakes.append("nothing goes well after the faults") }
        while clock.now < .after(.seconds(300)), pool.openRequests > 0 { turn(sending: 0) }
        if pool.openRequests > 0 { mistakes.append("\(pool.openRequests) requests are still open") }
        if !open.isEmpty { mistakes.append("without an end: \(open.sorted())") }
        for tag in notSent where record.processed.contains(id(tag).description) {
            mistakes.append("\(tag) was said not to be sent, and a server has processed it")
        }
        mistakes += record.complaints.map { "a server complains: \($0)" }
    }

    private func id(_ tag: Int) -> NotificationID { NotificationID(high: 7, low: UInt64(tag)) }

    private func turn(sending count: Int) {
        let pause = Duration.milliseconds(dice.number(in: 0...200))
        var wakeups: [Wakeup] = []
        let end = clock.now + pause
        kernel.wait(until: min(pool.nextDeadline ?? end, end)) { wakeups.append($0) }
        for wakeup in wakeups { pool.wake(wakeup, &kernel) }
        pool.expire(&kernel)
        if let quietAfter, clock.now.nanoseconds / UInt64(quietAfter.nanoseconds) % 2 == 1 {
            // A quiet time.
        } else {
            for _ in 0..<count { send() }
        }
        probe()
        pool.flush(&kernel)
        while let event = pool.nextEvent() { handle(event) }
    }

    /// Now and then an app is suspended and probes, or APNs refuses the credential.
    private func probe() {
        guard clock.now < Self.peace, probes.happens(3) else { return }
        if probes.happens(20) { return pool.replaceConnections(&kernel) }
        var notification = `A request`.notification()
        notification.payload = [32, 32]
        let opening = pool.sendProbe(
            notification, id: id(nextTag), tag: UInt64(nextTag), &kernel)
        guard let opening else { return }
        if opening > latestProbe { latestProbe = opening }
        open.insert(nextTag)
        nextTag += 1
    }

    private func send() {
        var notification = `A request`.notification()
        notification.payload = [UInt8](repeating: 32, count: Self.bodySizes[dice.below(3)])
        if dice.happens(50) { notification.collapseID = [UInt8]("c\(nextTag % 7)".utf8) }
        let before = connections.map { $0.connection.requests.count }
        let canSend = pool.canSend(bodyBytes: notification.payload.count, clock.now)
        let opening = probes.happens(10) ? latestProbe : .distantPast
        let isSent = pool.send(
            notification, id: id(nextTag), tag: UInt64(nextTag), since: opening, &kernel)
        guard isSent else {
            let size = notification.payload.count
            if canSend, opening == .distantPast, pool.canSend(bodyBytes: size, clock.now) {
                mistakes.append("refused what it says it can send")
            }
            return
        }
        open.insert(nextTag)
        nextTag += 1
        for (box, before) in zip(connections, before)
        where box.connection.requests.count > before { judge(box) }
    }

    /// A connection that has just taken a request keeps the peer's limit and holds nothing back.
    private func judge(_ box: ConnectionBox) {
        let limit = box.connection.http2.peerStreamLimit ?? 0
        if box.connection.http2.openStreams > limit { mistakes.append("over the peer's limit") }
        if box.connection.requests.count > pool.settings.maxStreams {
            mistakes.append("over its own limit")
        }
        if box.connection.http2.queuedFrames > 0 { mistakes.append("frames wait in nghttp2") }
        if !box.connection.hasSucceeded, box.connection.requests.count > 1 {
            mistakes.append("more than one request before the first success")
        }
    }

    private var connections: [ConnectionBox] {
        pool.keepers.flatMap { keeper in
            [keeper.current, keeper.successor].compactMap { $0 } + keeper.leaving
        }
    }

    private func handle(_ event: PoolEvent) {
        switch event {
        case .responded(let tag, let response, _):
            end(Int(tag))
            guard response.status == 200 else { return }
            accepted += 1
            if !record.accepted.contains(id(Int(tag)).description) {
                mistakes.append("\(tag) has an answer that no server gave")
            }
        case .notSent(let tag):
            end(Int(tag))
            notSent.append(Int(tag))
        case .inDoubt(let tag, _), .unacceptable(let tag, _), .unsendable(let tag, _): end(Int(tag))
        case .connected, .failed, .credentialRefused, .renewed, .renewalRefused: break
        }
    }

    private func end(_ tag: Int) {
        if open.remove(tag) == nil { mistakes.append("\(tag) has ended twice") }
    }
}
