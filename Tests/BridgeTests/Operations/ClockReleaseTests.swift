import AdminServer
import Configuration
import Foundation
import Telemetry
import Testing

@testable import Bridge

@Suite struct `An operator who confirms the clock` {
    private let stage = SupervisorStage()

    /// Asks for `POST /connectors/NAME/clock/release` of a running set; the status and the body of
    /// each response.
    private func release(_ names: String...) async throws -> [String] {
        let connectors = try ["orders", "pay"].map { try SupervisorStage.connector($0) }
        let supervisor = stage.supervisor(connectors)
        let harness = ControlRoutes(
            control: supervisor, logger: Logger(label: "test", level: .critical))
        #expect(
            harness.routes.contains {
                $0.method == "POST" && $0.pattern == "/connectors/{connector}/clock/release"
            })
        let running = Task { try await supervisor.run() }
        for connector in connectors { await stage.wait(for: "start \(connector.name)/1") }
        var responses: [String] = []
        for name in names {
            var request = AdminRequest(method: "POST", path: "/", body: [])
            request.parameters = ["connector": name]
            let response = await harness.releaseClock(request)
            responses.append("\(response.status) " + String(decoding: response.body, as: UTF8.self))
        }
        await supervisor.drain()
        _ = try await running.value
        return responses
    }

    @Test func `releases the connector that doubts it, and no other`() async throws {
        stage.doubtClock(of: ["orders", "pay"])
        let responses = try await release("orders")
        #expect(
            responses == [#"200 {"connector":"orders","clock":"release requested"}"# + "\n"])
        #expect(stage.events.contains("release the clock of orders"))
        #expect(!stage.events.contains("release the clock of pay"))
    }

    @Test func `is refused for connectors that do not doubt it or do not exist`() async throws {
        stage.doubtClock(of: ["pay"])
        let responses = try await release("orders", "order")
        #expect(
            responses == [
                #"409 {"error":"connector 'orders' does not doubt the clock","remedy":"there"#
                    + " is nothing to release: a doubt is a problem of the kind 'clock' in"
                    + " /status\"}\n",
                #"404 {"error":"no connector is named 'order'","remedy":"did you mean 'orders'?"#
                    + " use one of: orders, pay\"}\n",
            ])
        #expect(!stage.events.contains { $0.hasPrefix("release the clock") })
    }
}
