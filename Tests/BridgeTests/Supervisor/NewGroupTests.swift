import Configuration
import Delivery
import Kafka
import Testing

@testable import Bridge

@Suite struct `A group that has committed nothing` {
    private let stage = SupervisorStage()
    private let log = Lines()
    private let backlog = GroupBacklog(
        isNew: true, partitions: 4, records: 6000, oldest: 1_767_261_600_000)

    private func connector(
        group: String = "apns-orders", _ newGroup: SourceSettings.NewGroup, version: Int = 1
    ) throws -> Connector {
        var connector = try SupervisorStage.connector("orders", version: version)
        connector.source.group = group
        connector.source.newGroup = newGroup
        return connector
    }

    /// Runs a connector whose group would send 6,000 records.
    private func run(
        _ newGroup: SourceSettings.NewGroup, begins: Bool = false,
        _ body: (Supervisor) async throws -> Void
    ) async throws {
        stage.setBacklog(backlog, of: "orders")
        let supervisor = stage.supervisor([try connector(newGroup)], log: log, begins: begins)
        let running = Task { try await supervisor.run() }
        try await body(supervisor)
        await supervisor.drain()
        _ = try await running.value
    }

    private func lines(_ message: String) -> [String] { log.all.filter { $0.contains(message) } }

    private func waits() async {
        await stage.wait { [stage] in stage.states == ["orders waiting"] }
    }

    @Test func `begins with one warning that says what it sends`() async throws {
        try await run(.begin) { _ in await stage.wait(for: "start orders/1") }
        let warnings = lines("the group is new: everything in its topics is sent")
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("records=6000") == true)
        #expect(warnings.first?.contains("2026-01-01T10:00:00") == true)
    }

    @Test func `begins without a word if its topics are empty, or it has offsets`() async throws {
        for other in [
            GroupBacklog(isNew: true, partitions: 4, records: 0),
            GroupBacklog(isNew: false, partitions: 1, records: 9),
        ] {
            let stage = SupervisorStage()
            stage.setBacklog(other, of: "orders")
            let supervisor = stage.supervisor([try connector(.confirm)], log: log)
            let running = Task { try await supervisor.run() }
            await stage.wait(for: "start orders/1")
            await supervisor.drain()
            _ = try await running.value
        }
        #expect(lines("the group is new").isEmpty)
    }

    @Test func `waits for confirmation where the connector asks for it`() async throws {
        try await run(.confirm) { supervisor in
            await waits()
            let reading = stage.status.read()
            #expect(reading.problems.map(\.kind) == [.waiting])
            #expect(reading.problems.first?.message.contains("6000 records") == true)
            #expect(reading.isReady && reading.isRunning)
            #expect(!stage.events.contains("start orders/1"))
            try await supervisor.begin(connector: "orders")
            await stage.wait(for: "start orders/1")
            await stage.wait { [stage] in stage.states == ["orders running"] }
        }
        #expect(lines("the group is new and waits for confirmation").count == 1)
    }

    @Test func `is not said to have started while it waits`() async throws {
        try await run(.confirm) { supervisor in
            await waits()
            #expect(lines(" started").isEmpty, "\(log.all)")
            try await supervisor.begin(connector: "orders")
            await stage.wait(for: "start orders/1")
            #expect(lines("connector started").count == 1, "\(log.all)")
        }
    }

    @Test func `begins if that is confirmed`() async throws {
        try await run(.confirm, begins: true) { _ in await stage.wait(for: "start orders/1") }
        #expect(lines("waits for confirmation").isEmpty)
    }

    @Test func `begins when another process has begun`() async throws {
        try await run(.confirm) { _ in
            await waits()
            stage.setBacklog(GroupBacklog(isNew: false, partitions: 0, records: 0), of: "orders")
            await stage.wait(for: "start orders/1")
        }
    }

    @Test func `ends while it waits`() async throws {
        try await run(.confirm) { _ in await waits() }
        #expect(!stage.events.contains("start orders/1"))
    }

    @Test func `is not confirmed where nothing waits`() async throws {
        try await run(.begin) { supervisor in
            await stage.wait(for: "start orders/1")
            await #expect(throws: ControlFault.self) {
                try await supervisor.begin(connector: "orders")
            }
            await #expect(throws: ControlFault.self) {
                try await supervisor.begin(connector: "other")
            }
        }
    }

    // MARK: A reload that changes the group

    private func reload(
        to backlog: GroupBacklog?, tweak: (inout Connector) -> Void = { _ in }
    ) async throws -> ReloadResult.Change? {
        var changes: [ReloadResult.Change] = []
        try await run(.begin) { supervisor in
            await stage.wait(for: "start orders/1")
            stage.setBacklog(backlog, of: "orders")
            var changed = try connector(group: "apns-ordres", .begin, version: 2)
            tweak(&changed)
            stage.write([changed])
            guard case .done(let found) = await supervisor.reloadOnce() else { return }
            changes = found
        }
        return changes.first
    }

    @Test func `keeps a running connector from moving to it`() async throws {
        let change = try #require(try await reload(to: backlog))
        #expect(change.kind == .refused)
        let problem = try #require(change.problems.first)
        #expect(problem.message.contains("6000 records since 2026-01-01T10:00:00"))
        #expect(problem.message.contains("'apns-ordres'"))
        #expect(problem.remedy?.hasSuffix("start: latest; a restart would send them") == true)
        #expect(!stage.events.contains("start orders/2"))
    }

    @Test func `keeps a running connector from moving to it for a single partition`() async throws {
        let part = GroupBacklog(isNew: false, partitions: 1, records: 7)
        #expect(try await reload(to: part)?.kind == .refused)
    }

    @Test func `keeps a running connector from moving where Kafka does not say`() async throws {
        #expect(try await reload(to: nil)?.kind == .refused)
    }

    @Test func `is accepted with offsets for every partition`() async throws {
        let whole = GroupBacklog(isNew: false, partitions: 0, records: 0)
        #expect(try await reload(to: whole)?.kind == .changed)
    }

    @Test func `is accepted if it starts at the end`() async throws {
        #expect(try await reload(to: nil) { $0.source.start = .latest }?.kind == .changed)
    }

    @Test func `does not keep a connector from changing anything else`() async throws {
        #expect(
            try await reload(to: backlog) { $0.source.group = "apns-orders" }?.kind == .changed)
    }
}

@Suite struct `The check of what a new group would send` {
    private let findings = KafkaCheck.Findings(clusterID: "c", warnings: [], unchecked: nil)

    private func check(
        _ tweak: (inout Connector) -> Void = { _ in },
        asking ask: @escaping KafkaCheck.BacklogQuestion
    ) throws -> Result<KafkaCheck.Findings, StartFailure> {
        var connector = try SupervisorStage.connector("orders")
        tweak(&connector)
        return try #require(
            KafkaCheck.findBacklogs([connector], [.success(findings)], asking: ask).first)
    }

    @Test func `is not made where the group starts at the end`() throws {
        let found = try check {
            $0.source.start = .latest
        } asking: { _ in
            Issue.record("it was asked for")
            return GroupBacklog(isNew: true, partitions: 1, records: 1)
        }
        #expect(try found.get().backlog == nil)
    }

    @Test func `holds up only a connector that waits for confirmation`() throws {
        let ask: KafkaCheck.BacklogQuestion = { _ throws(KafkaFailure) in
            throw KafkaFailure(code: "_TIMED_OUT", detail: "test")
        }
        #expect(try check(asking: ask).get().backlog == nil)
        let waiting = try check({ $0.source.newGroup = .confirm }, asking: ask)
        guard case .failure(let failure) = waiting else {
            Issue.record("it would begin without knowing")
            return
        }
        #expect(failure.kind == .unavailable && failure.mayPass)
    }
}
