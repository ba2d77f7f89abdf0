import Delivery
import HTTP2
import TLS
import Testing

@testable import APNsSimulator

/// Where a scenario runs: one simulator, and clients that trust it.
struct ScenarioStage {
    static let identity = Result { try SimulatorIdentity.generate() }

    let service: SimulatorService

    /// A shipped scenario by its name, or YAML, which has a colon in it.
    init(_ scenario: String) throws {
        let scenario =
            scenario.contains(":")
            ? try Scenario.parse([UInt8](scenario.utf8), file: "scenario.yaml")
            : try Scenario.find(scenario)
        let configuration = SimulatorConfiguration(
            identity: try Self.identity.get(), scenario: scenario)
        service = try SimulatorService(configuration)
        _ = service.run.time(at: .distantPast)
    }

    /// A client that has completed its handshake and one accepted push.
    func client(warm: Bool = true, at moment: SimulatorMoment? = nil) throws -> MemoryClient {
        var client = try MemoryClient(
            service: service, identity: try Self.identity.get(), at: moment)
        try client.start()
        if warm {
            _ = try client.push(client.request())
            _ = client.received()
        }
        return client
    }

    /// Why a client's handshake failed; nil if it did not.
    func handshakeError() throws -> TLSError? {
        var client = try MemoryClient(service: service, identity: try Self.identity.get())
        do {
            try client.start()
            return nil
        } catch {
            return error as? TLSError
        }
    }
}

extension MemoryClient {
    /// Sends pushes all at once, and returns everything received.
    mutating func pushAtOnce(_ count: Int, first tag: Int = 0) throws -> [String] {
        let request = request()
        for number in 0..<count { try http.submit(request, tag: tag + number) }
        try exchange()
        return received()
    }

    /// Sends pushes one after the other, and counts the responses by their text.
    mutating func tally(_ count: Int) throws -> [String: Int] {
        var tally: [String: Int] = [:]
        for _ in 0..<count { for message in try pushAtOnce(1) { tally[message, default: 0] += 1 } }
        return tally
    }
}
