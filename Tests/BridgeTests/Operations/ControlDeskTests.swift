import AdminServer
import Configuration
import Foundation
import Synchronization
import Telemetry
import Testing

@testable import Bridge

@Suite struct `A request to control a bridge` {
    /// Records what is asked of it.
    private final class SimulatedControl: BridgeControl {
        private let state = Mutex<[String]>([])
        let result: ReloadResult

        init(_ result: ReloadResult) { self.result = result }

        var orders: [String] { state.withLock { $0 } }

        func setPaused(_ isPaused: Bool, connector: String) throws(ControlFault) {
            guard connector == "orders" else {
                throw .unknown("no connector is named '\(connector)'", connector, ["orders"])
            }
            state.withLock { $0.append("\(isPaused ? "pause" : "resume") \(connector)") }
        }

        func releaseGuard(connector: String, app: String) throws(ControlFault) {
            state.withLock { $0.append("release \(connector) \(app)") }
        }

        func begin(connector: String) throws(ControlFault) {
            state.withLock { $0.append("begin \(connector)") }
        }

        func releaseClock(connector: String) throws(ControlFault) {
            state.withLock { $0.append("clock \(connector)") }
        }

        func reloadOnce() -> ReloadResult { result }
    }

    private let logger = Logger(label: "test", level: .critical)
    private let mistake = Diagnostic(
        file: "orders.yaml", line: 3, column: 7, severity: .error, message: "broken",
        remedy: "fix it")

    private func request(
        _ parameters: [String: String] = [:], body: String = ""
    ) -> AdminRequest {
        var request = AdminRequest(method: "POST", path: "/", body: Array(body.utf8))
        request.parameters = parameters
        return request
    }

    private func reload(_ result: ReloadResult) async throws -> (Int, [String: Any]) {
        let harness = ControlRoutes(control: SimulatedControl(result), logger: logger)
        let response = await harness.reload(request())
        let object = try JSONSerialization.jsonObject(with: Data(response.body))
        return (response.status, try #require(object as? [String: Any]))
    }

    @Test func `pauses and resumes a connector`() async {
        let control = SimulatedControl(.busy)
        let harness = ControlRoutes(control: control, logger: logger)
        let response = await harness.pause(request(["connector": "orders"]), true)
        #expect(response.status == 200)
        #expect(response.body == Array("{\"connector\":\"orders\",\"paused\":true}\n".utf8))
        _ = await harness.pause(request(["connector": "orders"]), false)
        #expect(control.orders == ["pause orders", "resume orders"])
    }

    @Test func `to an unknown connector is a 404 that says which exist`() async {
        let harness = ControlRoutes(control: SimulatedControl(.busy), logger: logger)
        let response = await harness.pause(request(["connector": "order"]), true)
        #expect(response.status == 404)
        #expect(
            response.body
                == Array(
                    ("{\"error\":\"no connector is named 'order'\","
                        + "\"remedy\":\"did you mean 'orders'? use one of: orders\"}\n").utf8))
    }

    @Test func `lets a connector begin that waits`() async {
        let control = SimulatedControl(.busy)
        let harness = ControlRoutes(control: control, logger: logger)
        let response = await harness.begin(request(["connector": "orders"]))
        #expect(response.status == 200)
        #expect(response.body == Array("{\"connector\":\"orders\",\"begin\":\"confirmed\"}\n".utf8))
        #expect(control.orders == ["begin orders"])
    }

    @Test func `releases the guard of one app`() async {
        let control = SimulatedControl(.busy)
        let harness = ControlRoutes(control: control, logger: logger)
        let response = await harness.releaseGuard(request(["connector": "orders", "app": "shop"]))
        #expect(response.status == 200)
        #expect(control.orders == ["release orders shop"])
    }

    @Test func `returns what a reload did for each connector`() async throws {
        let (status, body) = try await reload(
            .done([.init(connector: "orders", kind: .changed)]))
        #expect(status == 200)
        #expect(
            body["connectors"] as? [[String: String]]
                == [["connector": "orders", "change": "changed"]])
    }

    @Test func `returns the mistakes of files that a reload refused`() async throws {
        let (status, body) = try await reload(.refused([mistake]))
        #expect(status == 422)
        let problems = try #require(body["problems"] as? [[String: Any]])
        #expect(problems.first?["file"] as? String == "orders.yaml")
        #expect(problems.first?["line"] as? Int == 3)
        #expect(problems.first?["remedy"] as? String == "fix it")
    }

    @Test func `says which connectors a reload could not start`() async throws {
        let (status, body) = try await reload(
            .done([.init(connector: "orders", kind: .refused, problems: [mistake])]))
        #expect(status == 503)
        #expect(body["error"] as? String == "not every connector could be started")
    }

    @Test func `to reload is refused during a reload and while the process stops`() async throws {
        #expect(try await reload(.busy).0 == 409)
        let (status, body) = try await reload(
            .unavailable("the process is stopping", remedy: "start it again"))
        #expect(status == 503)
        #expect(body["error"] as? String == "the process is stopping")
        #expect(body["remedy"] as? String == "start it again")
    }

    @Test(arguments: ["debug", " debug\n", "\"debug\"", #"{"level": "debug"}"#])
    func `sets the log level`(body: String) {
        let harness = ControlRoutes(control: SimulatedControl(.busy), logger: logger)
        #expect(harness.setLogLevel(request(body: body)).status == 200)
        #expect(logger.level == .debug)
    }

    @Test(arguments: ["", "debgu", "{}", #"{"level": 3}"#, "{\"level\": \"loud\"}"])
    func `with a wrong log level changes nothing and says which exist`(body: String) {
        let harness = ControlRoutes(control: SimulatedControl(.busy), logger: logger)
        let response = harness.setLogLevel(request(body: body))
        #expect(response.status == 400)
        #expect(
            String(decoding: response.body, as: UTF8.self).contains(
                "use one of: trace, debug, info, notice, warning, error, critical"))
        #expect(logger.level == .critical)
    }
}
