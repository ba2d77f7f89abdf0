import APNs
import Configuration
import Delivery
import Engine
import Testing

@testable import Bridge

@Suite struct `A set of connectors that starts` {
    private let stage = SupervisorStage()

    private func connectors(_ names: String...) throws -> [Connector] {
        try names.map { try SupervisorStage.connector($0) }
    }

    @Test func `runs all of them until it is drained`() async throws {
        let supervisor = stage.supervisor(try connectors("orders", "pay"))
        let running = Task { try await supervisor.run() }
        await stage.wait(for: "start orders/1")
        await stage.wait(for: "start pay/1")
        #expect(stage.states == ["orders running", "pay running"])
        await supervisor.drain()
        _ = try await running.value
        #expect(stage.events.filter { $0.hasPrefix("end") }.count == 2)
    }

    @Test func `fails one alone whose topic is missing, and starts it once the topic exists`()
        async throws
    {
        stage.setWrong(["pay"])
        stage.makePausesLong()
        let log = Lines()
        let supervisor = stage.supervisor(try connectors("orders", "pay"), log: log)
        let running = Task { try await supervisor.run() }
        await stage.wait(for: "start orders/1")
        await stage.wait { self.stage.states == ["orders running", "pay failed"] }
        #expect(stage.status.read().problems.first?.kind == .failed)
        #expect(log.all.count { $0.contains("connector failed to start") } == 1, "\(log.all)")
        stage.setWrong([])
        stage.endPauses()
        await stage.wait(for: "start pay/1")
        await stage.wait { self.stage.states == ["orders running", "pay running"] }
        await supervisor.drain()
        _ = try await running.value
    }

    @Test func `fails one alone whose certificate has expired, and starts it once that is renewed`()
        async throws
    {
        stage.makePausesLong()
        let pay = try SupervisorStage.unusable("pay")
        stage.write(try connectors("orders"), unusable: [pay])
        let supervisor = stage.supervisor(try connectors("orders"), unusable: [pay])
        let running = Task { try await supervisor.run() }
        await stage.wait(for: "start orders/1")
        #expect(stage.states == ["orders running", "pay failed"])
        #expect(
            stage.status.read().degradations.first
                == "pay: failed to start: the certificate has expired")
        stage.write(try connectors("orders", "pay"))
        stage.endPauses()
        await stage.wait(for: "start pay/1")
        #expect(stage.states == ["orders running", "pay running"])
        await supervisor.drain()
        _ = try await running.value
    }

    @Test func `ends as unavailable if none can be started, so that it is started again`()
        async throws
    {
        stage.setWrong(["orders"])
        let pay = try SupervisorStage.unusable("pay")
        let supervisor = stage.supervisor(try connectors("orders"), unusable: [pay])
        let error = await #expect(throws: StartFailure.self) { try await supervisor.run() }
        #expect(error?.kind == .unavailable)
        #expect(error?.diagnostics.map(\.file) == ["orders.yaml", "pay.yaml"])
    }

    @Test func `retries one that is unavailable until startup_deadline while the others run`()
        async throws
    {
        stage.setUnavailable(["pay"])
        let supervisor = stage.supervisor(try connectors("orders", "pay"))
        let running = Task { try await supervisor.run() }
        await stage.wait { self.stage.states == ["orders running", "pay failed"] }
        #expect(stage.checks(of: "pay") > 3)
        #expect(stage.checks(of: "orders") == 1)
        let reading = stage.status.read()
        #expect(reading.degradations.contains("pay: failed to start: pay is away"))
        #expect(reading.isReady)
        await supervisor.drain()
        _ = try await running.value
    }

    @Test func `resumes one that has failed to start, and does not pause it`() async throws {
        stage.setUnavailable(["pay"])
        let supervisor = stage.supervisor(try connectors("orders", "pay"))
        let running = Task { try await supervisor.run() }
        await stage.wait { self.stage.states.contains("pay failed") }
        await #expect(throws: ControlFault.self) {
            try await supervisor.setPaused(true, connector: "pay")
        }
        try await supervisor.setPaused(false, connector: "pay")
        #expect(await supervisor.members.allSatisfy { !$0.isPaused })
        await supervisor.drain()
        _ = try await running.value
    }

    @Test func `starts one that becomes available`() async throws {
        stage.setUnavailable(["pay"], forChecks: 3)
        let supervisor = stage.supervisor(try connectors("orders", "pay"))
        let running = Task { try await supervisor.run() }
        await stage.wait(for: "start pay/1")
        #expect(stage.states == ["orders running", "pay running"])
        await supervisor.drain()
        _ = try await running.value
    }

    @Test func `counts startup_deadline from the end of the first check, however long that takes`()
        async throws
    {
        stage.setUnavailable(["pay"], forChecks: 1)
        stage.makeChecks(take: .seconds(90))
        let supervisor = stage.supervisor(try connectors("orders", "pay"))
        let running = Task { try await supervisor.run() }
        await stage.wait {
            let states = self.stage.states
            return !states.isEmpty && states.allSatisfy { !$0.hasSuffix("starting") }
        }
        #expect(stage.states == ["orders running", "pay running"])
        #expect(stage.checks(of: "pay") == 2)
        await supervisor.drain()
        _ = try await running.value
    }

    @Test func `checks APNs for all of them side by side`() async throws {
        let stage = SupervisorStage(meeting: Meeting(of: 3))
        let supervisor = stage.supervisor(try connectors("orders", "pay", "news"))
        let running = Task { try await supervisor.run() }
        for name in ["orders", "pay", "news"] { await stage.wait(for: "start \(name)/1") }
        await supervisor.drain()
        _ = try await running.value
    }

    @Test func `has failed at once if waiting does not help`() async throws {
        stage.setUnavailable(["pay"], isPermanent: true)
        stage.makePausesLong()
        let supervisor = stage.supervisor(try connectors("orders", "pay"))
        let running = Task { try await supervisor.run() }
        await stage.wait { self.stage.states == ["orders running", "pay failed"] }
        #expect(stage.checks(of: "pay") == 1)
        await supervisor.drain()
        _ = try await running.value
    }

    @Test(arguments: [true, false])
    func `ends when none can be started`(isPermanent: Bool) async throws {
        stage.setUnavailable(["orders", "pay"], isPermanent: isPermanent)
        let supervisor = stage.supervisor(try connectors("orders", "pay"))
        let error = await #expect(throws: StartFailure.self) { try await supervisor.run() }
        #expect(error?.kind == .unavailable)
        #expect(error?.diagnostics.map(\.file) == ["orders.yaml", "pay.yaml"])
        #expect(stage.events == [])
    }

    @Test func `ends at once when it is drained during a retry`() async throws {
        stage.setUnavailable(["orders"])
        stage.makePausesLong()
        let supervisor = stage.supervisor(try connectors("orders"))
        let running = Task { try await supervisor.run() }
        await stage.wait { self.stage.isInPause }
        await supervisor.drain()
        _ = try await running.value
        #expect(stage.events == [])
    }
}

@Suite struct `A connector that an operator pauses` {
    private let stage = SupervisorStage()

    /// Runs `body` while two connectors run.
    private func withSet(_ body: (Supervisor) async throws -> Void) async throws {
        let supervisor = stage.supervisor([
            try SupervisorStage.connector("orders"), try SupervisorStage.connector("pay"),
        ])
        let running = Task { try await supervisor.run() }
        await stage.wait(for: "start orders/1")
        await stage.wait(for: "start pay/1")
        try await body(supervisor)
        await supervisor.drain()
        _ = try await running.value
    }

    @Test func `is paused alone, and resumes`() async throws {
        try await withSet { supervisor in
            try await supervisor.setPaused(true, connector: "orders")
            await stage.wait(for: "pause orders")
            #expect(stage.status.read().degradations.contains("orders: paused by an operator"))
            try await supervisor.setPaused(false, connector: "orders")
            await stage.wait(for: "resume orders")
            #expect(!stage.events.contains("pause pay"))
        }
    }

    @Test func `stays paused when its worker is restarted`() async throws {
        try await withSet { supervisor in
            try await supervisor.setPaused(true, connector: "orders")
            await stage.wait(for: "pause orders")
            stage.fail("orders")
            await stage.wait { self.stage.events.filter { $0 == "pause orders" }.count == 2 }
        }
    }

    @Test func `sends outcomes by key to a compacted topic`() async throws {
        stage.compactOutcomes(of: ["pay"])
        try await withSet { _ in
            #expect(stage.events.contains("by key pay"))
            #expect(!stage.events.contains("by key orders"))
        }
    }

    /// A worker starts with a credential that APNs accepts, and is offered one that is not judged.
    @Test(arguments: [
        (RenewalResult.Verdict.accepted, [1, 7], 1), (.refused, [1, 1], 1), (nil, [1, 1], 2),
    ])
    func `keeps the credential that APNs accepted last when its worker is restarted`(
        verdict: RenewalResult.Verdict?, routes: [Int], offers: Int
    ) async throws {
        stage.judgeCredentials(verdict)
        let supervisor = stage.supervisor([try SupervisorStage.connector("orders")])
        let running = Task { try await supervisor.run() }
        await stage.wait(for: "start orders/1")
        let number = await supervisor.members[0].number
        await supervisor.adopt(try SupervisorStage.route(connections: 7), number: 0, of: number)
        await stage.wait(for: "renew orders 7")
        stage.fail("orders")
        await stage.wait { self.stage.routes.count == 2 }
        await stage.wait { self.stage.events.filter { $0 == "renew orders 7" }.count == offers }
        #expect(stage.routes == routes)
        await supervisor.drain()
        _ = try await running.value
        #expect(stage.events.filter { $0 == "renew orders 7" }.count == offers)
    }

    @Test func `adopts a credential that a worker refused and another one then accepted`() throws {
        var member = Member(
            connector: try SupervisorStage.connector("orders"), number: 1, boards: [],
            pauses: RestartPauses())
        member.routes = [try SupervisorStage.route(connections: 1)]
        guard
            case .renew(_, _, let result) = member.offer(
                try SupervisorStage.route(connections: 7), number: 0)
        else { return }
        result?.settle(.refused)
        #expect(member.openOffers().isEmpty)
        result?.settle(.accepted)
        #expect(member.openOffers().isEmpty)
        #expect(member.routes.map(\.settings.connections) == [7...7])
    }

    @Test func `is named by a 404 with the nearest name and all that exist`() async throws {
        try await withSet { supervisor in
            let fault = await #expect(throws: ControlFault.self) {
                try await supervisor.setPaused(true, connector: "order")
            }
            #expect(
                fault
                    == ControlFault(
                        status: 404, message: "no connector is named 'order'",
                        remedy: "did you mean 'orders'? use one of: orders, pay"))
        }
    }

    @Test func `has the guard of one app released, and names its apps if it is unknown`()
        async throws
    {
        stage.engageGuard(of: ["orders", "pay"])
        try await withSet { supervisor in
            try await supervisor.releaseGuard(connector: "orders", app: "shop")
            await stage.wait(for: "release orders/shop")
            #expect(!stage.events.contains { $0.hasPrefix("release pay") })
            let fault = await #expect(throws: ControlFault.self) {
                try await supervisor.releaseGuard(connector: "orders", app: "news")
            }
            #expect(fault?.status == 404)
            #expect(fault?.remedy == "use one of: shop")
        }
    }

    /// The number of guards that a signal releases, as the workers say.
    private func released(by supervisor: Supervisor) async -> Int? {
        let (counts, continuation) = AsyncStream<Int>.makeStream()
        await supervisor.release(ReleaseCount { continuation.yield($0) })
        return await counts.first { _ in true }
    }

    @Test func `has all guards released by a signal, and counts those that were engaged`()
        async throws
    {
        stage.engageGuard(of: ["pay"])
        try await withSet { supervisor in
            #expect(await released(by: supervisor) == 1)
            #expect(stage.events.contains("release pay/all"))
            #expect(await released(by: supervisor) == 0)
        }
    }

    @Test func `counts no released guards before there are workers`() async throws {
        let supervisor = stage.supervisor([try SupervisorStage.connector("pay")])
        #expect(await released(by: supervisor) == 0)
    }

    @Test func `says of a guard that is not engaged if the circuit breaker is open`() async throws {
        stage.openBreaker(of: ["orders"])
        try await withSet { supervisor in
            await stage.wait { !self.stage.status.figures.isEmpty }
            let fault = await #expect(throws: ControlFault.self) {
                try await supervisor.releaseGuard(connector: "orders", app: "shop")
            }
            #expect(fault?.status == 409)
            #expect(
                fault?.remedy
                    == "the circuit breaker suspends sending for 'shop', because APNs responds 403"
                    + " InvalidProviderToken, and cannot be released: sending resumes when a probe"
                    + " succeeds. Check the key.")
        }
    }

    @Test func `says of a guard that is not engaged that there is nothing to release`()
        async throws
    {
        stage.engageGuard(of: ["orders"])
        try await withSet { supervisor in
            await stage.wait { !self.stage.status.figures.isEmpty }
            try await supervisor.releaseGuard(connector: "orders", app: "shop")
            await stage.wait {
                self.stage.status.figures.allSatisfy(\.state.suspendedApps.isEmpty)
            }
            for connector in ["orders", "pay"] {
                let fault = await #expect(throws: ControlFault.self) {
                    try await supervisor.releaseGuard(connector: connector, app: "shop")
                }
                #expect(fault?.status == 409)
                #expect(
                    fault?.message
                        == "the guard of app 'shop' of connector '\(connector)' is not engaged")
                #expect(
                    fault?.remedy
                        == "there is nothing to release: the apps with 'guard: true' in"
                        + " 'suspended_apps' of /status are those whose guard is engaged")
            }
            #expect(stage.events.filter { $0.hasPrefix("release") } == ["release orders/shop"])
            #expect(await released(by: supervisor) == 0, "nor by a signal")
        }
    }

    @Test(arguments: [
        ("TOPIC_AUTHORIZATION_FAILED", "grant DESCRIBE_CONFIGS on its topics"),
        ("_TIMED_OUT", "Kafka did not respond in time: repeat the check with 'apns-bridge doctor'"),
        (
            "_TRANSPORT",
            "a broker cannot be reached: check that all brokers run, and the network to them; then"
                + " repeat the check with 'apns-bridge doctor'"
        ),
        ("UNSUPPORTED_VERSION", nil as String?),
    ])
    func `names the connector whose topic settings were not checked, and what helps`(
        code: String, action: String?
    ) async throws {
        let log = Lines()
        stage.keepSettingsUnknown(KafkaFailure(code: code, detail: "no"))
        let supervisor = stage.supervisor([try SupervisorStage.connector("pay")], log: log)
        let running = Task { try await supervisor.run() }
        await stage.wait(for: "start pay/1")
        await supervisor.drain()
        _ = try await running.value
        let lines = log.all.filter { $0.contains("info topic settings not checked") }
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        #expect(line.contains(" connector=pay ") && line.contains("code=\(code) "))
        #expect(line.contains("action=") == (action != nil))
        if let action { #expect(line.contains(action)) }
    }
}
