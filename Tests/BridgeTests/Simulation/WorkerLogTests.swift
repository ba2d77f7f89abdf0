import APNs
import APNsSimulator
import BridgeSamples
import BridgeTesting
import Delivery
import Engine
import Kafka
import TLS
import Telemetry
import Testing

@testable import Bridge

@Suite struct `A worker in a simulated world, in its log` {
    private func world(
        _ level: LogLevel, _ scenario: Scenario = .builtIn, isAssigned: Bool = true
    ) throws -> World {
        let world = try World(partitions: 2, behaviour: scenario)
        world.logLevel = level
        try world.start()
        if isAssigned { world.member?.assign([0, 1]) }
        return world
    }

    private func append(_ world: World, _ token: String) {
        world.topic.append(value: Array(Samples.event(Samples.token(token)).utf8))
    }

    private func lines(_ world: World, with message: String) -> [String] {
        world.log.all.filter { $0.contains(message) }
    }

    @Test func `has a line for each push at trace, with a shortened device token`() throws {
        let world = try world(.trace)
        for token in ["ab01", "ab02", "dead01"] { append(world, token) }
        #expect(world.runUntilDone())
        let decided = lines(world, with: "trace push decided")
        #expect(decided.count == 3)
        #expect(decided[0].contains("device_token=ab01...0000"))
        #expect(decided[0].contains("offset=0"))
        #expect(decided[0].contains("status=200 topic=shop.orders verdict=accepted"))
        #expect(decided.contains { $0.contains("reason=Unregistered status=410") })
        #expect(lines(world, with: Samples.token("ab01")) == [])
    }

    @Test func `has no device token at trace for a push without one`() throws {
        let world = try world(.trace)
        world.topic.append(value: Array("not JSON".utf8))
        #expect(world.runUntilDone())
        let decided = lines(world, with: "trace push decided")
        #expect(decided.count == 1 && decided[0].contains("reason=unparsable"))
        #expect(lines(world, with: "device_token") == [])
    }

    @Test(arguments: [true, false])
    func `has a line for a new credential once APNs has judged it`(isKnown: Bool) throws {
        let world = try world(.info)
        append(world, "ab01")
        world.run(seconds: 5)
        try world.renew(isKnown: isKnown)
        world.run(seconds: 20)
        #expect(world.renewal.verdict == nil)
        append(world, "ab02")
        #expect(world.runUntilDone())
        #expect(world.renewal.verdict == (isKnown ? .accepted : .refused))
        let message = isKnown ? "now using the new credential" : "APNs rejected the new credential"
        #expect(lines(world, with: message).count == 1)
    }

    @Test func `knows that a worker without its lost partitions waits for the group`() throws {
        let world = try world(.info, isAssigned: false)
        func waits() -> Bool { world.seats[0].awaitsAssignment }
        #expect(world.run(seconds: 5) { waits() })
        world.member?.assign([0, 1])
        #expect(world.run(seconds: 5) { !waits() })
        world.member?.lose([0, 1])
        #expect(world.run(seconds: 5) { waits() })
        world.member?.assign([0])
        #expect(world.run(seconds: 5) { !waits() })
    }

    @Test func `publishes since when it waits for the group, and when Kafka was away`() throws {
        let world = try world(.info, isAssigned: false)
        let board = FigureBoard()
        world.seats[0].board = board
        try world.start()
        let start = world.clock.now
        #expect(world.run(seconds: 5) { board.latest?.awaitsAssignmentSince == start })
        world.member?.outage = KafkaOutage(brokers: 3, detail: "connection refused")
        world.run(seconds: 5)
        world.member?.outage = nil
        world.run(seconds: 5)
        let figures = try #require(board.latest)
        #expect(figures.awaitsAssignmentSince == start)
        #expect(figures.lastOutage > start && figures.lastOutage < figures.time)
        world.member?.assign([0])
        #expect(world.run(seconds: 5) { board.latest?.awaitsAssignmentSince == nil })
    }

    @Test(arguments: [LogLevel.info, .debug])
    func `has no line for a single push at other levels`(level: LogLevel) throws {
        let world = try world(level)
        for token in ["ab01", "dead01"] { append(world, token) }
        #expect(world.runUntilDone())
        #expect(lines(world, with: "push decided") == [])
        #expect(lines(world, with: "device_token") == [])
    }

    @Test func `has a line for each retry at debug`() throws {
        let world = try world(.debug)
        append(world, "503000")
        #expect(world.runUntilDone())
        let retries = lines(world, with: "debug push waits for a retry")
        #expect(retries.count == world.counters.retries && retries.count == 2)
        #expect(retries[0].contains("attempts=1 delay_ms="))
        #expect(retries[0].contains("last_status=503"))
    }

    @Test func `has a line for each step of a rebalance at debug`() throws {
        let world = try world(.debug)
        append(world, "ab01")
        #expect(world.runUntilDone())
        world.log.clear()
        world.member?.revoke([0])
        #expect(world.run(seconds: 10) { world.member?.partitions == [1] })
        world.member?.assign([0])
        world.run(seconds: 1)
        let steps = world.log.all.map { String($0.dropFirst(25).dropLast()) }
            .filter { $0.contains("partitions") }
        #expect(
            steps == [
                "info partitions revoked partitions=shop.orders/0",
                "debug last commit of revoked partitions partitions=\"\"",
                "debug revoked partitions given up count=1",
                "info assigned partitions=shop.orders/0",
            ])
    }

    @Test func `repeats a failed connection only at debug`() throws {
        for level in [LogLevel.info, .debug] {
            let world = try world(level)
            world.network.rules = [
                FaultRule { event, _ in
                    if case .connect = event { .refuse } else { nil }
                }
            ]
            append(world, "ab01")
            world.run(seconds: 30)
            let failures = lines(world, with: "no connection to APNs ")
            #expect(failures.count { $0.contains(" warning ") } <= 2, "\(failures)")
            #expect((failures.count > 2) == (level == .debug), "\(failures)")
        }
    }

    @Test func `says once that labels have too many values for the metrics`() throws {
        let labels = Samples.labels([("campaign", "${campaign?}")])
        let world = try World(partitions: 1, plan: Samples.canonicalPlan(labels: labels)) {
            $0.metricLabels = ["campaign"]
        }
        world.seats[0].board = FigureBoard()
        try world.start()
        world.member?.assign([0])
        for campaign in 0..<60 {
            if campaign == 50 {
                #expect(world.runUntilDone())
                world.run(seconds: 2)
                #expect(lines(world, with: "more values than metrics") == [])
            }
            let event = Samples.event(
                Samples.token("ab01"), more: #","campaign":"c\#(campaign)""#)
            world.topic.append(value: Array(event.utf8))
        }
        #expect(world.runUntilDone())
        world.run(seconds: 2)
        let said = lines(world, with: "warning labels of events have more values than metrics")
        #expect(said.count == 1, "\(world.log.all)")
        #expect(said.first?.contains("labels=campaign limit=50") == true, "\(said)")
    }

    @Test func `says how many connections are left if one is lost`() throws {
        let world = try world(.info)
        append(world, "ab01")
        #expect(world.runUntilDone())
        // Until the second connection is open, too.
        world.run(seconds: 5)
        world.network.rules = [
            .times(1, .cut(after: 0)) { if case .toClient = $0 { true } else { false } }
        ]
        append(world, "ab02")
        world.run(seconds: 5)
        let lost = lines(world, with: "warning connection to APNs lost; others are open")
        #expect(lost.count == 1, "\(world.log.all)")
        #expect(lost.first?.contains("connections=2") == true, "\(lost)")
        #expect(lost.first?.contains("open=1") == true, "\(lost)")
        #expect(lines(world, with: "no connection to APNs") == [])
    }

    @Test(arguments: [
        ("revoked", "it rejects the client certificate", ConnectionFailure.Cause.credential),
        ("refused", "perhaps it rejects the client certificate", .handshake),
    ])
    func `says of a client certificate that APNs rejects what to check, once, as doctor does`(
        fault: String, message: String, cause: ConnectionFailure.Cause
    ) throws {
        let world = try worldWithCertificate(afterMinute: fault)
        let found = lines(world, with: "no connection to APNs: \(message)")
        #expect(found.count == 1, "\(world.log.all)")
        #expect(found.first?.contains(" error ") == true)
        #expect(found.first?.contains("apps=shop") == true)
        let remedy = cause.remedy(for: .certificate) ?? "none"
        #expect(found.first?.contains("action=\"\(remedy)\"") == true, "\(found)")
        #expect(world.runUntilDone())
    }

    @Test func `does not blame the client certificate for an internal error of APNs`() throws {
        let world = try worldWithCertificate(afterMinute: "broken")
        #expect(lines(world, with: "internal error").count >= 1, "\(world.log.all)")
        #expect(lines(world, with: "client certificate") == [])
        #expect(world.runUntilDone())
    }

    /// A world whose app has a client certificate, and whose APNs has a fault in TLS from the
    /// second minute on, for half a minute.
    private func worldWithCertificate(afterMinute fault: String) throws -> World {
        let clients = try CertificateAuthority.generate(name: "Clients")
        let scenario = try Scenario.parse(
            Array("faults: [{from: 60s, until: 90s, tls: \(fault)}]".utf8), file: "fault.yaml")
        let world = try World(partitions: 2, behaviour: scenario, clients: clients)
        try world.start()
        world.member?.assign([0, 1])
        let issued = try clients.issueClient(bundleID: "com.example.shop")
        try world.renew(ClientCertificate(pem: issued.certificatePEM, keyPEM: issued.keyPEM))
        append(world, "ab01")
        world.run(seconds: 60)
        #expect(lines(world, with: "now using the new credential").count == 1)
        world.network.rules = [
            FaultRule { event, _ in if case .toPeer = event { .cut(after: 0) } else { nil } }
        ]
        append(world, "ab02")
        world.run(seconds: 1)
        world.network.rules = []
        world.run(seconds: 20)
        return world
    }

    @Test func `shows what is open, and what is in flight, when it drains`() throws {
        let world = try world(.info)
        world.results.latency = .seconds(5)...(.seconds(5))
        for token in ["ab01", "ab02"] { append(world, token) }
        world.run(seconds: 3)
        world.drain()
        #expect(world.runUntilDone())
        #expect(
            lines(world, with: "info draining").map { $0.dropFirst(25).dropLast() }
                == ["info draining in_flight=0 open_records=2"])
    }

    @Test func `leaves an outage of Kafka to the log of the process`() throws {
        let world = try world(.info)
        for code in ["_TRANSPORT", "_ALL_BROKERS_DOWN", "_RESOLVE"] {
            world.member?.fail(KafkaFailure(code: code, detail: "broker 1: refused"))
        }
        world.member?.fail(KafkaFailure(code: "_TIMED_OUT", detail: "no response"))
        world.run(seconds: 1)
        #expect(lines(world, with: "refused") == [])
        let problem = lines(world, with: "warning Kafka reported a problem")
        #expect(problem.count == 1)
        #expect(problem.first?.contains("code=_TIMED_OUT detail=\"no response\"") == true)
    }

    @Test(arguments: [
        KafkaFailure(code: "FENCED_INSTANCE_ID", detail: "scripted", isFatal: true),
        KafkaFailure(
            code: "_FATAL", detail: "Broker: Static consumer fenced by other consumer with same"
                + " group.instance.id", isFatal: true),
    ])
    func `speaks of the other process, not of the network, if a member is fenced`(
        failure: KafkaFailure
    ) throws {
        let world = try world(.info)
        append(world, "ab01")
        world.run(seconds: 1)
        world.member?.fail(failure)
        world.member?.lose([0])
        #expect(world.run(seconds: 5) { world.hasEnded })
        let warnings = world.log.all.filter { $0.contains(" warning ") }
        #expect(warnings.contains { $0.contains("Kafka reported a problem") }, "\(warnings)")
        for line in warnings where !line.contains("ended before everything") {
            #expect(!line.contains("network"), "\(line)")
            #expect(line.contains("another process has the same group.instance.id"), "\(line)")
        }
    }

    @Test(arguments: [
        ("GROUP_AUTHORIZATION_FAILED", "READ on the group '"),
        ("TOPIC_AUTHORIZATION_FAILED", "READ on the source topics and WRITE on the result topics"),
        ("CLUSTER_AUTHORIZATION_FAILED", "before Kafka 2.8 IDEMPOTENT_WRITE on the cluster"),
        ("SASL_AUTHENTICATION_FAILED", "'apns-bridge doctor' tries them"),
        ("_AUTHENTICATION", "check the user and the password"),
    ])
    func `says once which right Kafka refuses, and what to do`(code: String, message: String) throws
    {
        let world = try world(.info)
        for _ in 0..<3 { world.member?.fail(KafkaFailure(code: code, detail: "not allowed")) }
        world.run(seconds: 1)
        let refusals = lines(world, with: "error Kafka denied a permission or the login")
        #expect(refusals.count == 1)
        #expect(refusals.first?.contains(message) == true, "\(refusals)")
        #expect(refusals.first?.contains("detail=\"not allowed\"") == true, "\(refusals)")
    }

    @Test func `says once that Kafka refuses a login, on whichever connections`() throws {
        let world = try world(.info)
        let address = "127.0.0.1:9092"
        func fail(_ reason: String) {
            for broker in [address, "\(address)/1", "GroupCoordinator: \(address)"] {
                let detail = "\(broker): SASL authentication error: \(reason)"
                world.member?.fail(KafkaFailure(code: "_AUTHENTICATION", detail: detail))
            }
            world.run(seconds: 1)
        }
        fail("Authentication failed")
        fail("Authentication failed")
        #expect(lines(world, with: "error Kafka denied a permission or the login").count == 1)
        fail("the token has expired")
        #expect(lines(world, with: "error Kafka denied a permission or the login").count == 2)
    }

    @Test func `does not say that Kafka refuses a login for which there is no token`() throws {
        let world = try world(.info)
        let detail = "Failed to acquire SASL OAUTHBEARER token: \(LoginTokens.unavailableMessage)"
        world.member?.fail(KafkaFailure(code: "_AUTHENTICATION", detail: "\(detail): it is away"))
        world.run(seconds: 1)
        #expect(lines(world, with: "it is away") == [])
        #expect(world.seats[0].rightsRefused == 0)
    }

    @Test func `names the partitions of a commit that Kafka refused`() throws {
        let world = try world(.info)
        // The commit that counts the start comes first.
        world.run(seconds: 1)
        append(world, "ab01")
        world.member?.failCommits(1)
        #expect(world.runUntilDone())
        let refused = lines(world, with: "warning offsets not committed")
        #expect(refused.count == 1)
        #expect(refused.first?.contains("partitions=shop.orders/0") == true)
    }

    @Test func `shows the age of the oldest unfinished event, and how far the group is behind`()
        throws
    {
        let world = try world(
            .info,
            Scenario(responses: [
                ScriptedResponse(tokenPrefix: "4030", status: 403, reason: "Forbidden")
            ]))
        for _ in 0..<3 { append(world, "403000") }
        world.run(seconds: 10)
        let state = try #require(world.state)
        let app = try #require(state.suspendedApps.first)
        #expect(state.suspendedApps.count == 1 && app.name == "shop" && app.pushes == 3)
        #expect(app.refusal?.response == "403 Forbidden" && !app.isGuarded)
        let age = try #require(state.oldestEventAge)
        // Turns are up to a second apart.
        #expect(age >= 8_000 && age < 11_000)
        #expect(world.lag == 3)
    }

    @Test func `adds up when it stops with pushes that are left to the next reader`() throws {
        let world = try world(
            .info,
            Scenario(responses: [
                ScriptedResponse(tokenPrefix: "4030", status: 403, reason: "Forbidden")
            ]))
        for _ in 0..<5 { append(world, "ab01") }
        #expect(world.runUntilDone())
        for _ in 0..<20 { append(world, "403000") }
        world.run(seconds: 10)
        world.drain()
        #expect(world.run(seconds: 60) { world.hasEnded })
        #expect(world.totals.taken == 25 && world.totals.pushes == 25)
        #expect(world.totals.accepted == 5 && world.totals.left == 20)
        #expect(world.topic.committed[0]?.next == 5)
    }

    @Test func `counts nothing as left when everything is reported`() throws {
        let world = try world(.info)
        for token in ["ab01", "dead01", "503000", "105001"] { append(world, token) }
        #expect(world.runUntilDone())
        world.drain()
        #expect(world.run(seconds: 60) { world.hasEnded })
        #expect(world.totals.left == 0 && world.totals.pushes == 4)
    }
}
