import Configuration
import Foundation
import Testing

@testable import Bridge

@Suite struct `A reload of connector files` {
    private let stage = SupervisorStage()

    private func connector(_ name: String, version: Int = 1) throws -> Connector {
        try SupervisorStage.connector(name, version: version)
    }

    /// Runs `body` while the connectors orders and pay run.
    private func withSet(
        log: Lines = Lines(), _ body: (Supervisor) async throws -> Void
    ) async throws {
        let connectors = [try connector("orders"), try connector("pay")]
        let supervisor = stage.supervisor(connectors, log: log)
        let running = Task { try await supervisor.run() }
        await stage.wait(for: "start orders/1")
        await stage.wait(for: "start pay/1")
        try await body(supervisor)
        await supervisor.drain()
        _ = try await running.value
    }

    private func kinds(_ result: ReloadResult) -> [String] {
        guard case .done(let changes) = result else { return ["\(result)"] }
        return changes.map { "\($0.connector) \($0.kind.rawValue)" }
    }

    @Test func `adds, changes and removes connectors, and does not touch unchanged ones`()
        async throws
    {
        try await withSet { supervisor in
            stage.write([try connector("news"), try connector("orders")])
            #expect(
                kinds(await supervisor.reloadOnce())
                    == ["news added", "orders unchanged", "pay removed"])
            await stage.wait(for: "start news/1")
            #expect(stage.states.map { $0.split(separator: " ")[0] } == ["news", "orders"])
            #expect(stage.events.contains("end pay/1"))
            #expect(!stage.events.contains("drain orders/1"))
            #expect(stage.checks(of: "orders") == 1)
        }
    }

    @Test func `starts a changed connector only after the old one has ended`() async throws {
        try await withSet { supervisor in
            stage.keepFromEnding(["orders"])
            stage.write([try connector("orders", version: 2), try connector("pay")])
            let reload = Task { await supervisor.reloadOnce() }
            await stage.wait(for: "drain orders/1")
            for _ in 0..<1000 { await Task.yield() }
            #expect(!stage.events.contains("start orders/2"))
            stage.keepFromEnding([])
            #expect(kinds(await reload.value) == ["orders changed", "pay unchanged"])
            await stage.wait(for: "start orders/2")
        }
    }

    @Test func `starts a connector anew whose keys of seals have changed`() async throws {
        let (old, new) = (Array("0123456789abcdef".utf8), Array("fedcba9876543210".utf8))
        let rotation: [SealKeys?] = [
            SealKeys(keys: [old]), SealKeys(keys: [old, new]), SealKeys(keys: [new, old]),
            SealKeys(keys: [new]), SealKeys(keys: [new], since: 1), nil,
        ]
        try await withSet { supervisor in
            for seal in rotation {
                var orders = try connector("orders")
                orders.results.seal = seal
                stage.write([orders, try connector("pay")])
                #expect(
                    kinds(await supervisor.reloadOnce()) == ["orders changed", "pay unchanged"])
                #expect(
                    kinds(await supervisor.reloadOnce()) == ["orders unchanged", "pay unchanged"])
            }
        }
    }

    @Test func `shows a connector that ends as stopping, without a problem`() async throws {
        try await withSet { supervisor in
            #expect(stage.status.read().isReady)
            stage.keepFromEnding(["orders"])
            stage.write([try connector("news")])
            let reload = Task { await supervisor.reloadOnce() }
            await stage.wait(for: "drain orders/1")
            await stage.wait(for: "end pay/1")
            await stage.wait { [stage] in
                stage.status.read().workers.map(\.stage) == [.running, .ended]
            }
            let reading = stage.status.read()
            #expect(stage.states == ["orders stopping", "pay stopping"])
            #expect(!reading.problems.map(\.kind).contains(.notRunning) && reading.isReady)
            let text = BridgeMetrics(reading).text
            #expect(text.contains(#"apns_bridge_worker_up{connector="orders",worker="0"} 1"#))
            #expect(!text.contains(#"apns_bridge_worker_up{connector="pay""#))
            #expect(text.contains(#"apns_bridge_connector_up{connector="pay"} 1"#))
            stage.keepFromEnding([])
            #expect(kinds(await reload.value) == ["news added", "orders removed", "pay removed"])
            #expect(stage.states.map { $0.split(separator: " ")[0] } == ["news"])
        }
    }

    @Test func `warns of a guard that it ends, and of none that stays engaged`() async throws {
        let log = Lines()
        stage.engageGuard(of: ["orders", "pay"])
        try await withSet(log: log) { supervisor in
            stage.write([try connector("orders", version: 2), try connector("pay")])
            #expect(kinds(await supervisor.reloadOnce()) == ["orders changed", "pay unchanged"])
        }
        let warnings = log.all.filter { $0.contains("reload discarded an engaged guard") }
        #expect(warnings.count == 1 && warnings[0].contains("connector=orders"), "\(log.all)")
        #expect(warnings[0].contains("apps=shop") && warnings[0].contains("warning "))
    }

    @Test func `with a broken file changes nothing and returns its errors`() async throws {
        try await withSet { supervisor in
            let mistake = Diagnostic(
                file: "orders.yaml", line: 3, column: 1, severity: .error, message: "broken")
            let advice = Diagnostic(
                file: "pay.yaml", line: 1, column: 1, severity: .warning, message: "old")
            stage.write([try connector("news")], [advice, mistake])
            #expect(await supervisor.reloadOnce() == .refused([mistake]))
            #expect(stage.status.read().isLastReloadRefused)
            #expect(stage.states == ["orders running", "pay running"])
            #expect(!stage.events.contains { $0.hasPrefix("drain") })
        }
    }

    @Test func `leaves a connector as it is whose new certificate is not usable`() async throws {
        try await withSet { supervisor in
            stage.makePausesLong()
            stage.write(
                [try connector("pay", version: 2)],
                unusable: [
                    try SupervisorStage.unusable("news"), try SupervisorStage.unusable("orders"),
                ])
            #expect(
                kinds(await supervisor.reloadOnce()) == [
                    "news added", "orders refused", "pay changed",
                ])
            await stage.wait(for: "start pay/2")
            #expect(stage.states == ["orders running", "pay running", "news failed"])
            #expect(stage.status.read().isLastReloadRefused)
            stage.write([try connector("news"), try connector("orders")])
            #expect(
                kinds(await supervisor.reloadOnce()) == [
                    "news added", "orders unchanged", "pay removed",
                ])
            await stage.wait(for: "start news/1")
            #expect(stage.states == ["news running", "orders running"])
        }
    }

    @Test func `keeps the old connector if the changed one cannot be started, with a warning`()
        async throws
    {
        let log = Lines()
        try await withSet(log: log) { supervisor in
            stage.setUnavailable(["orders"])
            stage.write([try connector("orders", version: 2), try connector("pay")])
            #expect(
                kinds(await supervisor.reloadOnce()) == ["orders refused", "pay unchanged"])
            #expect(
                log.all.count {
                    $0.contains(
                        " warning changed connector cannot be started; continuing with the current")
                } == 1)
            #expect(!stage.events.contains("drain orders/1"))
            #expect(stage.status.read().isLastReloadRefused)
            stage.setUnavailable([])
            #expect(kinds(await supervisor.reloadOnce()) == ["orders changed", "pay unchanged"])
            #expect(!stage.status.read().isLastReloadRefused)
        }
    }

    @Test func `counts as complete although a new connector waits until it can be started`()
        async throws
    {
        try await withSet { supervisor in
            stage.setUnavailable(["news"])
            stage.write([
                try connector("news"), try connector("orders"), try connector("pay"),
            ])
            #expect(kinds(await supervisor.reloadOnce()).contains("news added"))
            #expect(!stage.status.read().isLastReloadRefused)
            stage.setUnavailable([])
        }
    }

    @Test func `tries a connector again that failed to start`() async throws {
        try await withSet { supervisor in
            stage.makePausesLong()
            stage.setUnavailable(["news"], isPermanent: true)
            stage.write([
                try connector("news"), try connector("orders"), try connector("pay"),
            ])
            _ = await supervisor.reloadOnce()
            await stage.wait { self.stage.states.contains("news failed") }
            stage.setUnavailable([])
            #expect(kinds(await supervisor.reloadOnce()).contains("news retried"))
            await stage.wait(for: "start news/1")
        }
    }

    @Test(arguments: [1, 2])
    func `keeps one that starts by itself meanwhile, and ends it before its new file is used`(
        version: Int
    ) async throws {
        try await withSet { supervisor in
            stage.makePausesLong()
            stage.setUnavailable(["news"], isPermanent: true)
            let others = [try connector("orders"), try connector("pay")]
            stage.write([try connector("news")] + others)
            _ = await supervisor.reloadOnce()
            await stage.wait { self.stage.states.contains("news failed") && self.stage.isInPause }
            stage.setUnavailable([])
            stage.write([try connector("news", version: version)] + others)
            stage.afterCheckOfAPNs { [stage] in
                stage.endPauses()
                while !stage.events.contains("start news/1") { sched_yield() }
            }
            #expect(kinds(await supervisor.reloadOnce()).contains("news retried"))
            await stage.wait(for: "start news/\(version)")
            let event = stage.events.filter { $0.contains("news") }
            #expect(
                event
                    == (version == 1
                        ? ["start news/1"]
                        : ["start news/1", "drain news/1", "end news/1", "start news/2"]))
        }
    }

    @Test func `is refused while another one runs, and a signal repeats it afterwards`()
        async throws
    {
        try await withSet { supervisor in
            stage.keepFromEnding(["pay"])
            stage.write([try connector("orders")])
            let reload = Task { await supervisor.reload() }
            await stage.wait(for: "drain pay/1")
            #expect(await supervisor.reloadOnce() == .busy)
            stage.write([try connector("orders"), try connector("news")])
            await supervisor.reload()
            stage.keepFromEnding([])
            await reload.value
            await stage.wait(for: "start news/1")
        }
    }

    @Test func `is repeated for a signal that comes during one by request`() async throws {
        try await withSet { supervisor in
            stage.keepFromEnding(["pay"])
            stage.write([try connector("orders")])
            let reload = Task { await supervisor.reloadOnce() }
            await stage.wait(for: "drain pay/1")
            stage.write([try connector("orders"), try connector("news")])
            await supervisor.reload()
            stage.keepFromEnding([])
            _ = await reload.value
            await stage.wait(for: "start news/1")
        }
    }

    /// Runs `body` with a process whose last connector fails to start during a reload, just when a
    /// signal asks for another one, for which `files` are written.
    private func withSignalAtTheEnd(
        _ files: [Connector], _ diagnostics: [Diagnostic] = [],
        _ body: (Supervisor, Task<Void, any Error>) async throws -> Void
    ) async throws {
        stage.makePausesLong()
        stage.setUnavailable(["pay"])
        let supervisor = stage.supervisor([try connector("orders"), try connector("pay")])
        let running = Task { _ = try await supervisor.run() }
        await stage.wait(for: "start orders/1")
        await stage.wait { self.stage.isInPause }
        stage.keepFromEnding(["orders"])
        stage.write([try connector("pay")])
        let reload = Task { await supervisor.reload() }
        await stage.wait(for: "drain orders/1")
        stage.endPauses()
        await stage.wait { self.stage.states.contains("pay failed") }
        stage.write(files, diagnostics)
        await supervisor.reload()
        stage.keepFromEnding([])
        await reload.value
        try await body(supervisor, running)
    }

    @Test func `is repeated for a signal that comes just when the last connector has failed`()
        async throws
    {
        try await withSignalAtTheEnd([try connector("news")]) { supervisor, running in
            await stage.wait(for: "start news/1")
            await supervisor.drain()
            try await running.value
        }
    }

    @Test func `that is repeated and refused lets the process end, which reloads nothing then`()
        async throws
    {
        let mistake = Diagnostic(
            file: "news.yaml", line: 1, column: 1, severity: .error, message: "wrong")
        try await withSignalAtTheEnd([], [mistake]) { supervisor, running in
            await #expect(throws: StartFailure.self) { try await running.value }
            stage.write([try connector("news")])
            guard case .unavailable(let reason, _) = await supervisor.reloadOnce() else {
                Issue.record("a process that has ended has reloaded its files")
                return
            }
            #expect(reason == "the process is stopping")
        }
    }

    @Test func `starts nothing when the process is stopped meanwhile`() async throws {
        try await withSet { supervisor in
            stage.keepFromEnding(["orders"])
            stage.write([try connector("orders", version: 2), try connector("news")])
            let reload = Task { await supervisor.reloadOnce() }
            await stage.wait(for: "drain orders/1")
            await supervisor.drain()
            stage.keepFromEnding([])
            guard case .unavailable(let reason, let remedy) = await reload.value else {
                Issue.record("the reload was not given up")
                return
            }
            #expect(reason == "the process is stopping")
            #expect(remedy == "start it again: it reads the files when it starts")
            #expect(!stage.events.contains("start orders/2"))
            #expect(!stage.events.contains("start news/1"))
        }
    }

    @Test func `of a process without files says which process can reload`() async throws {
        let supervisor = stage.supervisor([try connector("orders")], hasFiles: false)
        guard case .unavailable(let reason, let remedy) = await supervisor.reloadOnce() else {
            Issue.record("something was reloaded")
            return
        }
        #expect(reason == "this process has no connector files")
        #expect(remedy.contains("start 'apns-bridge run' with it"))
    }

    @Test func `keeps a changed connector paused, and its totals`() async throws {
        try await withSet { supervisor in
            try await supervisor.setPaused(true, connector: "orders")
            await stage.wait(for: "pause orders")
            stage.write([try connector("orders", version: 2), try connector("pay")])
            _ = await supervisor.reloadOnce()
            await stage.wait { self.stage.events.filter { $0 == "pause orders" }.count == 2 }
        }
    }
}
