import BridgeTesting
import Encoding
import Foundation
import Testing

@Suite(RealKafka.startable, .serialized) struct `A bridge that logs in with tokens` {
    private func expectEachOnce(_ world: BridgeWorld) throws {
        let positions = try world.readOutcomes().map(\.position)
        #expect(positions.count == world.published)
        #expect(Set(positions).count == world.published)
    }

    /// Publishes events until `isDone` is true, each batch once the last one is committed. Returns
    /// the longest time in which the broker responded to a client of the test.
    @discardableResult private func publish(
        to world: BridgeWorld, while bridge: BridgeProcess, until isDone: () -> Bool
    ) throws -> Duration {
        var slowest = Duration.zero
        repeat {
            try world.publish(20)
            try world.waitUntilCommitted(world.published, while: bridge)
            slowest = max(slowest, ContinuousClock().measure { _ = try? world.committed() })
        } while !isDone()
        return slowest
    }

    /// A group that gives up no member for a machine that stands still for half a minute.
    private func world(_ kafka: OAuthKafka, _ login: String) throws -> BridgeWorld {
        try BridgeWorld(
            .real(kafka.kafka), partitions: 2, extra: login, login: kafka.login,
            sessionTimeout: 60_000)
    }

    /// Brokers accept each token for an hour. The server says that it is valid for less, so that it
    /// is renewed soon: the first time half a minute before its end.
    @Test func `delivers each push once while tokens are renewed and the broker ends each login`()
        throws
    {
        let kafka = try OAuthKafka.shared()
        try kafka.respond("ok 3600 150")
        let world = try world(kafka, kafka.oauth())
        let doctor = try world.start("doctor")
        #expect(doctor.wait() == 0, "\(doctor.logged)")
        #expect(doctor.logged.contains("kafka login: token of \(kafka.tokenURL), valid for 150 s"))
        var asked = kafka.requests
        let bridge = try world.start()
        var slowest = try publish(to: world, while: bridge) { kafka.requests > asked }
        try kafka.respond("503")
        slowest = max(
            slowest,
            try publish(to: world, while: bridge) {
                bridge.logged.contains(
                    "Kafka login token not renewed; continuing with the current token")
            })
        try kafka.respond("ok 3600 45")
        slowest = max(
            slowest,
            try publish(to: world, while: bridge) {
                bridge.logged.count(of: "Kafka login token fetched") >= 2
            })
        asked = kafka.requests
        slowest = max(slowest, try publish(to: world, while: bridge) { kafka.requests > asked })
        #expect(bridge.terminate() == 0)
        try expectEachOnce(world)
        for message in ["Kafka denied", "no Kafka login token", "open sesame"] {
            #expect(!bridge.logged.contains(message), "\(message): \(bridge.logged)")
        }
        // Where other clients wait for a second, the bridge cannot log in again at once.
        let isSlow = slowest > .seconds(1)
        #expect(isSlow || !bridge.logged.contains("Kafka unreachable"), "\(bridge.logged)")
    }

    @Test func `uses the tokens that something else keeps in a file`() throws {
        let kafka = try OAuthKafka.shared()
        let world = try world(kafka, kafka.tokenFile)
        let bridge = try BridgeProcess(
            ["run", "--log-level", "debug", world.file], in: world.folder)
        // It is read again after half a minute, while the broker ends a login every ten seconds.
        try publish(to: world, while: bridge) {
            bridge.logged.count(of: "debug Kafka login token fetched") >= 1
        }
        #expect(bridge.terminate() == 0)
        try expectEachOnce(world)
        #expect(!bridge.logged.contains("login token not renewed"), "\(bridge.logged)")
    }

    @Test func `waits at start until the server gives out tokens`() throws {
        let kafka = try OAuthKafka.shared()
        try kafka.respond("503")
        let world = try world(kafka, kafka.oauth())
        try world.publish(40)
        let settings = world.folder.appending(path: "settings")
        try "admin: {listen: 'unix:admin.sock'}".write(
            to: settings, atomically: true, encoding: .utf8)
        let bridge = try BridgeProcess(
            ["run", "--settings", settings.path, world.file], in: world.folder)
        try bridge.waitUntilLogged("no Kafka login token")
        try kafka.respond("ok 3600")
        try world.waitUntilCommitted(40, while: bridge)
        try expectMetrics(of: world)
        #expect(bridge.terminate() == 0)
        try expectEachOnce(world)
    }

    /// The token is valid for an hour, after failures.
    private func expectMetrics(of world: BridgeWorld) throws {
        let socket = world.folder.appending(path: "admin.sock").path
        let text = try AdminSocket.ask(socket, "GET /metrics")
        func value(_ name: String) throws -> Double {
            let start = "apns_bridge_kafka_login_\(name){connector=\"events\"} "
            let line = try #require(
                text.split(separator: "\n").first { $0.hasPrefix(start) }, "\(text)")
            return try #require(Double(line.dropFirst(start.count)))
        }
        let life =
            try value("token_expiration_timestamp_seconds")
            - value("token_fetched_timestamp_seconds")
        #expect(abs(life - 3600) < 1)
        #expect(try value("failures_total") >= 1)
    }

    @Test func `loses nothing if its token expires while a second member joins`() throws {
        let kafka = try OAuthKafka.shared()
        try kafka.respond("ok 12")
        let world = try BridgeWorld(
            .real(kafka.kafka), partitions: 2, extra: kafka.oauth(), login: kafka.login)
        let first = try world.start()
        try world.publish(20)
        try world.waitUntilCommitted(20, while: first)
        try kafka.respond("503")
        let second = try world.start(name: "second")
        try second.waitUntilLogged("no Kafka login token")
        try first.waitUntilLogged("no Kafka login token")
        try world.publish(20)
        try kafka.respond("ok 3600")
        try world.waitUntilCommitted(40, while: first)
        try second.waitUntilLogged("info assigned")
        try world.publish(20)
        try world.waitUntilCommitted(60, while: second)
        #expect(first.terminate() == 0)
        #expect(second.terminate() == 0)
        let positions = try world.readOutcomes().map(\.position)
        #expect(Set(positions).count == world.published)
    }

    /// What the server of tokens does in each step of a sequence.
    private static let faults = [
        "503", "refused", "empty", "html", "late 2 12", "ok 3", "ok 12",
    ]

    /// The broker ends each session after ten seconds all the while.
    @Test(arguments: Seed.several(1))
    func `sends nothing twice that it had committed, and loses nothing, whatever the server does`(
        seed: Seed
    ) throws {
        let kafka = try OAuthKafka.shared()
        var chance = seed.generator(1)
        try kafka.respond("ok 12")
        let world = try BridgeWorld(
            .real(kafka.kafka), partitions: 2, extra: kafka.oauth(), login: kafka.login)
        let bridge = try world.start()
        try world.publish(20)
        try world.waitUntilCommitted(20, while: bridge)
        var covered = 20
        for _ in 0..<3 {
            try kafka.respond(Self.faults[Int(chance.next() % UInt64(Self.faults.count))])
            try world.publish(20)
            // Beyond the end of the current token, or not.
            let asked = kafka.requests + Int(chance.number(in: 1...4))
            try waitUntilAsked(asked, kafka, bridge)
            try kafka.respond("ok 12")
            try waitUntilAsked(kafka.requests + 1, kafka, bridge)
            try world.publish(20)
            try world.waitUntilCommitted(covered + 40, while: bridge)
            covered += 40
        }
        try kafka.respond("ok 3600")
        #expect(bridge.terminate() == 0)
        let positions = try world.readOutcomes().map(\.position)
        #expect(Set(positions).count == world.published, "\(seed): \(bridge.logged)")
        // A member that is unavailable for longer than its session loses its partitions, and what
        // it had not committed is sent again.
        let isExpelled = bridge.logged.contains("partitions lost")
        #expect(isExpelled || positions.count == world.published, "\(seed): \(bridge.logged)")
        #expect(positions.count <= world.published + (isExpelled ? 3 * 40 : 0))
    }

    private func waitUntilAsked(
        _ count: Int, _ kafka: OAuthKafka, _ bridge: BridgeProcess
    ) throws {
        let end = ContinuousClock.now + .seconds(120)
        while kafka.requests < count {
            try #require(bridge.isRunning && ContinuousClock.now < end, "\(bridge.logged)")
            waitBeforeNextLook()
        }
    }

    @Test func `ends at start with advice if its secret is wrong, and never shows it`() throws {
        let kafka = try OAuthKafka.shared()
        try kafka.respond("ok 3600")
        let world = try BridgeWorld(
            .real(kafka.kafka), partitions: 2, extra: kafka.oauth(secret: "wrong horse"),
            login: kafka.login)
        let bridge = try world.start()
        #expect(bridge.wait() == 69)
        #expect(
            bridge.logged.contains("\(kafka.tokenURL): it responds 401: invalid_client, no such"),
            "\(bridge.logged)")
        #expect(bridge.logged.contains("check kafka_login"))
        let doctor = try world.start("doctor")
        #expect(doctor.wait() == 1)
        #expect(doctor.logged.contains("kafka login: \(kafka.tokenURL): it responds 401"))
        #expect(!(bridge.logged + doctor.logged).contains("wrong horse"))
    }

    @Test func `ends at start with the broker's message if its token has expired`() throws {
        let kafka = try OAuthKafka.shared()
        try kafka.respond("expired")
        let world = try BridgeWorld(
            .real(kafka.kafka), partitions: 2, extra: kafka.oauth(), login: kafka.login)
        let bridge = try world.start()
        #expect(bridge.wait() == 69)
        #expect(bridge.logged.contains("SASL authentication error"), "\(bridge.logged)")
        try kafka.respond("ok 3600")
    }
}

extension String {
    fileprivate func count(of message: String) -> Int { ranges(of: message).count }
}
