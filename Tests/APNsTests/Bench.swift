import Delivery
import EventLoop
import HTTP2
import TLS

@testable import APNs

/// A pool on a network in memory, driven as a worker drives it.
final class Bench {
    let network: Network
    var kernel: ScriptedKernel
    /// What the pool is made from.
    let route: APNsRoute
    var pool: APNsPool
    var events: [PoolEvent] = []
    static let authority = Result { try CertificateAuthority.generate(name: "Test") }
    static let identity = Result { try authority.get().issue() }

    /// A pool whose servers behave as `settings` says, not yet started.
    init(
        host: String = "localhost", connections: Int = 1, requestTimeout: Duration = .seconds(20),
        server: HTTP2ServerSettings = HTTP2ServerSettings(), trust: TrustRoots? = nil,
        proxy: HTTPProxy? = nil, certificate: ClientCertificate? = nil,
        prepare: @escaping (Peer) -> Void = { _ in },
        tune: (inout PoolSettings) -> Void = { _ in }
    ) throws {
        let issued = try Self.identity.get()
        let context = try TLSContext.server(
            certificatePEM: issued.certificatePEM, keyPEM: issued.keyPEM,
            clientCertificates: .asked(.pem(Self.authority.get().certificatePEM)))
        network = Network { _ in
            let peer = try Peer(context, server)
            prepare(peer)
            return peer
        }
        kernel = ScriptedKernel(network)
        let roots = try trust ?? .pem(Self.authority.get().certificatePEM)
        let credential = try certificate.map { APNsCredential.certificate($0) } ?? Self.tokens()
        let endpoint = APNsEndpoint(
            host: host, port: 2197, trust: try credential.tls(trusting: roots), proxy: proxy)
        var settings = PoolSettings(
            connections: connections...connections, requestTimeout: requestTimeout)
        settings.firstRequests = .max
        tune(&settings)
        route = APNsRoute(endpoint: endpoint, credential: credential, settings: settings)
        pool = APNsPool(route, firstToken: 16)
    }

    /// Provider tokens of a new key.
    static func tokens() throws -> APNsCredential {
        .tokens(
            ProviderTokens(
                key: try SigningKey.generate(), keyID: "ABC123DEFG", teamID: "DEF123GHIJ"))
    }

    /// A certificate for pushes to an app, issued by the authority that the servers trust.
    static func certificate(
        _ bundleID: String, apnsTopics: [String]? = nil
    ) throws -> ClientCertificate {
        let issued = try authority.get().issueClient(bundleID: bundleID, apnsTopics: apnsTopics)
        return try ClientCertificate(pem: issued.certificatePEM, keyPEM: issued.keyPEM)
    }

    /// A pool with one connection that has had its first 200; its servers allow many streams.
    static func warm(
        connections: Int = 1, server: HTTP2ServerSettings = HTTP2ServerSettings(),
        tune: (inout PoolSettings) -> Void = { _ in }
    ) throws -> Bench {
        let bench = try Bench(connections: connections, server: server, tune: tune)
        bench.start()
        for index in 0..<connections { _ = bench.send(-1 - index) }
        bench.settle()
        for peer in bench.network.peers { peer.respond(0) }
        bench.settle()
        bench.events = []
        return bench
    }

    func start() {
        pool.start(&kernel)
        settle()
    }

    /// One turn of a worker.
    func turn() {
        var wakeups: [Wakeup] = []
        kernel.wait(until: pool.nextDeadline) { wakeups.append($0) }
        for wakeup in wakeups { pool.wake(wakeup, &kernel) }
        if let deadline = pool.nextDeadline, deadline <= kernel.now { pool.expire(&kernel) }
        pool.flush(&kernel)
        while let event = pool.nextEvent() { events.append(event) }
    }

    /// Turns until nothing moves any more.
    func settle() {
        for _ in 0..<200 {
            turn()
            network.deliver()
            let isIdle = (pool.nextDeadline ?? .distantFuture) > kernel.now
            if isIdle, !network.hasSomethingToSay { return }
        }
    }

    /// Lets time pass, from one deadline to the next.
    func pass(_ time: Duration) {
        let end = network.now + time
        while let deadline = pool.nextDeadline, deadline <= end {
            move(to: max(deadline, network.now))
            settle()
        }
        move(to: end)
        settle()
    }

    private func move(to time: Instant) {
        network.wallClock += (time - network.now).wholeMilliseconds
        network.now = time
    }

    func send(
        _ tag: Int, bytes: Int = 2, since opening: Instant = .distantPast,
        prepare: (inout Notification) -> Void = { _ in }
    ) -> Bool {
        var notification = `A request`.notification()
        notification.payload = [UInt8](repeating: UInt8(ascii: " "), count: bytes)
        prepare(&notification)
        let id = NotificationID(high: 1, low: UInt64(truncatingIfNeeded: tag))
        return pool.send(
            notification, id: id, tag: UInt64(bitPattern: Int64(tag)), since: opening, &kernel)
    }

    /// What should have happened has not.
    struct Missing: Error {}

    private static func number(_ tag: UInt64) -> Int { Int(Int64(bitPattern: tag)) }

    /// The events as text, without those about connections.
    var ends: [String] {
        events.compactMap { event in
            switch event {
            case .responded(let tag, let response, _):
                "\(Self.number(tag)) answered \(response.status)"
            case .notSent(let tag): "\(Self.number(tag)) not sent"
            case .unsendable(let tag, _): "\(Self.number(tag)) unsendable"
            case .inDoubt(let tag, _): "\(Self.number(tag)) in doubt"
            case .unacceptable(let tag, _): "\(Self.number(tag)) unacceptable"
            case .connected, .failed, .credentialRefused, .renewed, .renewalRefused: nil
            }
        }
    }

    /// The tags of the requests that have ended.
    var endedTags: [Int] { ends.compactMap { Int($0.split(separator: " ")[0]) } }

    /// The tags of the requests that were reported as not sent.
    var notSent: [Int] {
        events.compactMap { if case .notSent(let tag) = $0 { Self.number(tag) } else { nil } }
    }

    /// True when some server has responded to the request with this tag.
    func hadResponse(_ tag: Int) -> Bool {
        let id = NotificationID(high: 1, low: UInt64(truncatingIfNeeded: tag)).description
        return network.peers.contains { $0.responded.contains(id) }
    }

    /// The lines about connections that failed.
    var failures: [String] {
        events.compactMap { if case .failed(let failure) = $0 { failure.message } else { nil } }
    }

    /// The reasons for which the credential was rejected.
    var refusals: [String] {
        events.compactMap { if case .credentialRefused(let reason, _) = $0 { reason } else { nil } }
    }

    /// How many connections became ready with a TLS session of an earlier one.
    var resumed: Int {
        events.count { if case .connected(_, isResumed: true) = $0 { true } else { false } }
    }

    /// How many connections became ready.
    var connected: Int {
        events.count { if case .connected = $0 { true } else { false } }
    }

    /// What was reported about a new credential.
    var renewals: [String] {
        events.compactMap { event in
            switch event {
            case .renewed: "renewed"
            case .renewalRefused(let refusal): "refused: \(refusal.reason)"
            default: nil
            }
        }
    }

    func renew(_ route: APNsRoute) {
        pool.renew(route, &kernel)
        settle()
    }

    func canSend(bodyBytes: Int, since opening: Instant = .distantPast) -> Bool {
        pool.canSend(bodyBytes: bodyBytes, since: opening, network.now)
    }

    func canSendProbe(bodyBytes: Int) -> Bool {
        pool.canSendProbe(bodyBytes: bodyBytes, network.now)
    }

    /// Sends a probe of a suspended app; returns when its connection was opened.
    func sendProbe(_ tag: Int) -> Instant? {
        var notification = `A request`.notification()
        notification.payload = [0x20, 0x20]
        let id = NotificationID(high: 1, low: UInt64(truncatingIfNeeded: tag))
        return pool.sendProbe(
            notification, id: id, tag: UInt64(bitPattern: Int64(tag)), &kernel)
    }

    func replaceConnections() {
        pool.replaceConnections(&kernel)
        settle()
    }
    var readyConnections: Int { pool.readyConnections }
    var limit: ConnectionLimit? { pool.limit(network.now) }
    func drain() { pool.drain() }
    func close() { pool.close(&kernel) }
    var openRequests: Int { pool.openRequests }
    var isDrained: Bool { pool.isDrained }
    var nextDeadline: Instant? { pool.nextDeadline }
}
