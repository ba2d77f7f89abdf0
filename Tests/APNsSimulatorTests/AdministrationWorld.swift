import HTTP2
import JSON
import Synchronization

@testable import APNsSimulator
@testable import AdminServer

/// A simulator with a client in memory, and requests to its administration.
struct AdministrationWorld: ~Copyable {
    var client: MemoryClient
    let memory: SimulatorMemory
    private let router: AdminRouter
    let service: SimulatorService
    /// The broadcast channels of the simulator.
    var channels: Channels { service.channels }
    private let script: Script

    init(_ change: (inout SimulatorConfiguration) -> Void = { _ in }) throws {
        let identity = try SimulatorIdentity.generate()
        var configuration = SimulatorConfiguration(identity: identity)
        configuration.clock = { JudgeFixture.now + 1000 }
        change(&configuration)
        let service = try SimulatorService(configuration)
        let memory = service.memory ?? SimulatorMemory(clock: configuration.clock)
        let script = Script()
        let harness = AdministrationRoutes(
            memory: memory, counters: service.counters, channels: service.channels
        ) { bytes throws(SimulatorError) in
            let scenario = try Scenario.parse(body: bytes)
            script.scenario.withLock { $0 = scenario }
        } scenarioState: {
            nil
        }
        let router = AdminRouter(routes: harness.routes, access: AccessRules(hostNames: []))
        var client = try MemoryClient(service: service, identity: identity)
        try client.start()
        self.memory = memory
        self.router = router
        self.client = client
        self.service = service
        self.script = script
    }

    /// The scenario that was requested.
    private final class Script: Sendable {
        let scenario = Mutex<Scenario?>(nil)
    }

    func ask(
        _ method: String, _ path: String, _ query: [String: String] = [:], body: String = "",
        headers: [String: String] = [:]
    ) -> AdminResponse {
        router.reply(
            to: AdminRequest(
                method: method, path: path, query: query,
                headers: headers.merging(["host": "localhost"]) { $1 }, body: [UInt8](body.utf8))
        ).immediate ?? AdminResponse(status: 0)
    }

    /// The text of a response.
    func text(
        _ method: String, _ path: String, _ query: [String: String] = [:], body: String = ""
    ) -> String {
        String(decoding: ask(method, path, query, body: body).body, as: UTF8.self)
    }

    /// Pushes an alert with a title, and returns the response.
    @discardableResult
    mutating func push(
        title: String, to token: String = DeviceHarness.token, app: String = "com.example.app",
        identifier: String? = nil
    ) throws -> String {
        if let scenario = script.scenario.withLock({ $0.take() }) {
            try service.begin(scenario, at: client.moment.now)
        }
        var request = client.request(token: token)
        request.topic = [UInt8](app.utf8)
        if let identifier { request.identifier = [UInt8](identifier.utf8) }
        request.body = [UInt8](#"{"aps":{"alert":{"title":"\#(title)"}}}"#.utf8)
        return try client.push(request).first ?? ""
    }

    /// Pushes the payload of a Live Activity.
    mutating func push(activity payload: String) throws {
        var request = client.request(token: DeviceHarness.token)
        request.topic = [UInt8]("com.example.app.push-type.liveactivity".utf8)
        request.pushType = [UInt8]("liveactivity".utf8)
        request.body = [UInt8](payload.utf8)
        _ = try client.push(request)
    }
}
