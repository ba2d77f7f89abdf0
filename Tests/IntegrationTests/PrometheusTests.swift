import APNsSimulator
import Foundation
import Kafka
import Testing

@Suite(
    .serialized,
    .enabled(if: PrometheusProcess.isInstalled, "needs Prometheus: apt-get install prometheus"))
struct `A Prometheus that scrapes a running bridge` {
    /// A bridge that has accepted 20 pushes, all of them traced, with a Prometheus.
    private struct Stage {
        let world: BridgeWorld
        let bridge: BridgeProcess
        let prometheus: PrometheusProcess

        init() throws {
            let refusal = ScriptedResponse(
                tokenPrefix: "b0", status: 403, reason: "InvalidProviderToken")
            world = try BridgeWorld(
                .embedded(try EmbeddedCluster()), partitions: 2,
                behaviour: Scenario(responses: [refusal]))
            let settings = world.folder.appending(path: "process-settings")
            try """
                admin: {listen: '127.0.0.1:0'}
                telemetry: {otlp: 'http://127.0.0.1:1/v1/traces', sample: 1}
                """.write(to: settings, atomically: true, encoding: .utf8)
            bridge = try BridgeProcess(
                ["run", "--settings", settings.path, world.file], in: world.folder)
            try world.publish(20)
            try world.waitUntilCommitted(20, while: bridge)
            let port = try #require(
                bridge.logged.firstMatch(of: /admin endpoint listening host=\S+ port=(\d+)/)
            ).output.1
            prometheus = try PrometheusProcess(scraping: String(port), in: world.folder)
        }

        /// Waits until Prometheus says that the bridge is gone.
        func waitUntilGone() throws {
            let end = Date(timeIntervalSinceNow: 120)
            while try prometheus.alerts()?.contains("ApnsBridgeDown") != true {
                try #require(Date() < end, "\(prometheus.logged)")
                waitBeforeNextLook()
            }
        }

        /// Waits until something is so.
        func wait(until isSo: () throws -> Bool) throws {
            let end = Date(timeIntervalSinceNow: 120)
            while try !isSo() {
                try #require(bridge.isRunning && Date() < end, "\(bridge.logged)")
                waitBeforeNextLook()
            }
        }
    }

    @Test func `finds the traces of pushes as exemplars of the latency histograms`() throws {
        let stage = try Stage()
        for name in ["event_to_accepted", "event_to_outcome", "apns_round_trip"] {
            var found: [[String: Any]] = []
            try stage.wait {
                let now = Int(Date().timeIntervalSince1970)
                found = try stage.prometheus.ask(
                    "query_exemplars", "query=apns_bridge_\(name)_seconds_bucket",
                    "start=\(now - 3600)", "end=\(now + 3600)") as? [[String: Any]] ?? []
                return !found.isEmpty
            }
            let exemplars = found.flatMap { $0["exemplars"] as? [[String: Any]] ?? [] }
            let traces = exemplars.compactMap {
                ($0["labels"] as? [String: String])?["trace_id"]
            }
            #expect(!traces.isEmpty && traces.allSatisfy { $0.count == 32 }, "\(found)")
        }
        #expect(stage.bridge.terminate() == 0)
    }

    private struct Dashboard: Decodable {
        struct Target: Decodable { let expr: String }
        struct Panel: Decodable { let targets: [Target]? }
        let panels: [Panel]
    }

    /// What has no series unless something happens, or unless there is a certificate.
    private static let rare = ["> 0", "certificate", "memory_limit", #"verdict!="accepted""#]

    @Test func `has data for each query of the dashboard`() throws {
        let stage = try Stage()
        let path = PrometheusProcess.root.appending(path: "deploy/grafana/apns-bridge.json")
        let dashboard = try JSONDecoder().decode(Dashboard.self, from: Data(contentsOf: path))
        let queries = dashboard.panels.flatMap { ($0.targets ?? []).map(\.expr) }
        #expect(queries.count > 40)
        for query in queries {
            let text = query.replacing("$__rate_interval", with: "1m")
                .replacing(/\$\w+/, with: ".*")
            guard !Self.rare.contains(where: query.contains) else {
                _ = try stage.prometheus.count(text)
                continue
            }
            try stage.wait { try stage.prometheus.count(text) > 0 }
        }
        #expect(stage.bridge.terminate() == 0)
    }

    @Test func `fires the alert of a fault, and no other`() throws {
        let stage = try Stage()
        try stage.wait { try stage.prometheus.alerts() == [] }
        let token = "b0" + String(repeating: "0", count: 62)
        try stage.world.publish(
            value: Array(#"{"device_token":"\#(token)","payload":{"aps":{"badge":1}}}"#.utf8))
        // The connections of a refused credential are replaced: for a moment there is none.
        try stage.wait { try stage.prometheus.alerts() == ["ApnsBridgeSendingSuspended"] }
        stage.bridge.kill()
        try stage.waitUntilGone()
    }
}
