import APNs
import Configuration
import Contracts
import Delivery
import Engine
import Foundation
import Kafka
import Telemetry
import Testing

@testable import AdminServer
@testable import Bridge

/// The responses of the admin endpoint, by request, status and type.
private struct PublishedResponses {
    private var bodies: [String: [Any]] = [:]
    private let router: AdminRouter

    init(_ status: BridgeStatus, _ control: some BridgeControl) {
        let logger = Logger(label: "test", level: .critical)
        router = AdminRouter(
            routes: AdminEndpoint.routes(status)
                + ControlRoutes(control: control, logger: logger).routes,
            access: AccessRules(hostNames: []), token: BearerToken([UInt8]("secret".utf8)))
    }

    private func response(
        _ method: String, _ path: String, _ body: String, _ headers: [String: String]
    ) async -> AdminResponse {
        var fields = ["host": "localhost:8080", "authorization": "Bearer secret"]
        for (name, value) in headers { fields[name] = value.isEmpty ? nil : value }
        let request = AdminRequest(
            method: method, path: path, headers: fields, body: [UInt8](body.utf8))
        switch router.reply(to: request) {
        case .now(let response): return response
        case .later(let work): return await work()
        }
    }

    /// Sends a request, and notes the response under the route; `any` stands for all of them.
    mutating func note(
        _ method: String, _ path: String, as name: String? = nil, body: String = "",
        headers: [String: String] = [:]
    ) async {
        let response = await response(method, path, body, headers)
        let route = router.routes.first { $0.method == method && $0.parameters(of: path) != nil }
        note(response, as: name ?? "\(method) \(route?.pattern ?? path)")
    }

    /// Notes a response.
    mutating func note(_ response: AdminResponse, as name: String) {
        let type = response.headers["content-type"] ?? ""
        let key = "\(name) \(response.status) \(type)"
        let object = try? JSONSerialization.jsonObject(with: Data(response.body))
        let text = String(decoding: response.body, as: UTF8.self)
        // Long ones have files of their own; how long the history is depends on the time.
        let isLong = response.body.count > 1000 || name == "GET /history"
        let body = isLong ? "(\(type))" : object ?? text
        bodies[key, default: []].append(body)
    }

    /// Adds those of another one.
    mutating func add(_ others: Self) {
        bodies.merge(others.bodies) { $0 + $1 }
    }

    var json: String {
        get throws {
            let data = try JSONSerialization.data(
                withJSONObject: bodies,
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
            return String(decoding: data, as: UTF8.self)
        }
    }
}

/// What is asked while a reload is in progress.
private struct BusyControl: BridgeControl {
    func setPaused(_ isPaused: Bool, connector: String) {}
    func releaseGuard(connector: String, app: String) {}
    func begin(connector: String) {}
    func releaseClock(connector: String) {}
    func reloadOnce() -> ReloadResult { .busy }
}

@Suite struct `The responses of the admin endpoint that a release has published` {
    private let stage = SupervisorStage()

    private func connectors(version: Int = 1) throws -> [Connector] {
        var waiting = try SupervisorStage.connector("waiting")
        waiting.source.newGroup = .confirm
        return [try SupervisorStage.connector("orders", version: version), waiting]
    }

    /// A set in which `orders` runs, `waiting` waits for its begin, and `pay` has failed.
    private func running() throws -> Supervisor {
        stage.engageGuard(of: ["orders"])
        stage.doubtClock(of: ["orders"])
        stage.setBacklog(
            GroupBacklog(isNew: true, partitions: 1, records: 9, oldest: 0), of: "waiting")
        return stage.supervisor(try connectors(), unusable: [try SupervisorStage.unusable("pay")])
    }

    private func noteControls(in responses: inout PublishedResponses) async {
        for name in ["orders", "none", "pay"] {
            await responses.note("POST", "/connectors/\(name)/pause")
        }
        for name in ["orders", "none"] {
            await responses.note("POST", "/connectors/\(name)/resume")
        }
        for path in [
            "orders/apps/shop/guard/release", "orders/apps/none/guard/release",
            "waiting/apps/shop/guard/release", "orders/clock/release", "waiting/clock/release",
            "none/clock/release", "waiting/begin", "orders/begin", "none/begin",
        ] {
            await responses.note("POST", "/connectors/\(path)")
        }
    }

    private func noteReloads(in responses: inout PublishedResponses) async throws {
        stage.write(try connectors())
        await responses.note("POST", "/reload")
        let mistake = Diagnostic(
            file: "orders.yaml", line: 3, column: 7, severity: .error, message: "broken",
            remedy: "fix it")
        stage.write(try connectors(), [mistake])
        await responses.note("POST", "/reload")
        stage.setWrong(["orders"])
        stage.write(try connectors(version: 2))
        await responses.note("POST", "/reload")
        stage.setWrong([])
    }

    private func noteLogLevels(in responses: inout PublishedResponses) async {
        await responses.note("GET", "/log-level")
        await responses.note("PUT", "/log-level", body: "debug")
        await responses.note("PUT", "/log-level", body: "loud")
    }

    /// What is said before a route is found.
    private func noteRefusals(in responses: inout PublishedResponses) async {
        let any = "any request"
        await responses.note("GET", "/status", as: any, headers: ["authorization": ""])
        await responses.note("GET", "/status", as: any, headers: ["host": ""])
        await responses.note("GET", "/status", as: any, headers: ["host": "example.com"])
        await responses.note(
            "GET", "/status", as: any, headers: ["origin": "https://example.com"])
        await responses.note("GET", "/none", as: any)
        await responses.note("DELETE", "/status", as: any)
        let settings = AdminSettings(host: "127.0.0.1", port: 0)
        let router = AdminRouter(routes: [], access: AccessRules(hostNames: []))
        responses.note(AdminController(router: router, settings: settings).tooLong, as: any)
    }

    private func noteStates(in responses: inout PublishedResponses) async {
        let paths = ["/health", "/ready", "/metrics", "/status", "/history", "/"]
        for path in paths { await responses.note("GET", path) }
        let board = FigureBoard()
        board.publish(WorkerFigures(time: .distantPast, pushes: PushFigures(apps: 1)))
        let late = BridgeStatus(clock: { .distantPast + BridgeStatus.maxTurn * 2 })
        late.started([
            BridgeStatus.Connector(
                name: "orders",
                workers: [.init(connector: "orders", number: 0, apps: ["shop"], board: board)])
        ])
        var ofLate = PublishedResponses(late, BusyControl())
        for path in paths.prefix(2) { await ofLate.note("GET", path) }
        await ofLate.note("POST", "/reload")
        responses.add(ofLate)
        var ofNew = PublishedResponses(BridgeStatus(), BusyControl())
        for path in paths.prefix(2) { await ofNew.note("GET", path) }
        responses.add(ofNew)
    }

    @Test func `have the same status, type and members`() async throws {
        let supervisor = try running()
        var responses = PublishedResponses(stage.status, supervisor)
        let running = Task { try await supervisor.run() }
        await stage.wait(for: "start orders/1")
        await stage.wait { [stage] in
            Set(stage.states) == ["orders running", "waiting waiting", "pay failed"]
        }
        await noteControls(in: &responses)
        try await noteReloads(in: &responses)
        await noteLogLevels(in: &responses)
        await noteRefusals(in: &responses)
        await noteStates(in: &responses)
        await supervisor.drain()
        await responses.note("POST", "/reload")
        _ = try await running.value
        let now = try responses.json
        let differences = try Contract.differences("http-bodies.json", from: now)
        #expect(differences == [], "now there is:\n\(now)")
    }

    /// Each member of its JSON that has one of a few words, and those.
    private static let words =
        BridgeStatus.Connector.State.allCases.map { "status connectors[].state: \($0.rawValue)" }
        + BridgeStatus.Reading.Worker.Stage.allCases
        .map { "status workers[].state: \($0.rawValue)" }
        + ConnectionLimit.allCases.map { "status workers[].connection_limit: \($0.rawValue)" }
        + Set(StatusProblem.Kind.allCases.map { $0.isError ? "error" : "warning" }).sorted()
        .map { "status problems[].severity: \($0)" }
        + ReloadResult.Change.Kind.allCases.map { "reload connectors[].change: \($0.rawValue)" }

    @Test(arguments: Contract.having("http-words.txt"))
    func `have the same words`(contract: Contract) throws {
        #expect(try contract.missing("http-words.txt", from: Self.words) == [])
    }

    @Test func `have no words that are not listed`() throws {
        let unlisted = try Contract.unlisted("http-words.txt", from: Self.words)
        #expect(unlisted == [])
    }
}
