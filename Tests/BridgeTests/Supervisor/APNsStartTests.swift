import APNs
import APNsSimulator
import BridgeSamples
import Configuration
import TLS
import Testing

@testable import Bridge

@Suite struct `The check of APNs before a start` {
    private static let identity = Result { try SimulatorIdentity.generate() }

    /// A simulator in a scenario, and a connector that pushes to it.
    private final class Stage {
        let connector: Connector
        private let simulator: SimulatorServer

        init(_ scenario: String) throws {
            let identity = try identity.get()
            let scenario = try Scenario.parse(Array(scenario.utf8), file: "scenario.yaml")
            simulator = SimulatorServer(
                SimulatorConfiguration(identity: identity, scenario: scenario))
            let port = try simulator.start()
            var connector = try Samples.connector(plan: Samples.canonicalPlan())
            connector.apns.apps[0].endpoint = EndpointSettings(
                host: "localhost", port: port, trustRoots: .pem(identity.authorityPEM),
                isCustom: true)
            self.connector = connector
        }

        deinit { simulator.stop() }

        func check(retries: Duration) throws -> [String] {
            guard case .key(let key, let keyID, let teamID) = connector.apns.apps[0].credential
            else { return [] }
            let tokens = ProviderTokens(key: key, keyID: keyID, teamID: teamID)
            var said: [String] = []
            _ = try APNsCheck.route(
                connector, connector.apns.apps[0], .tokens(tokens),
                APNsCheck.Patience(
                    retries: retries, handshake: .milliseconds(300), onRetry: { said.append($0) }))
            return said
        }
    }

    @Test func `waits for one that does not respond yet, and logs that once`() throws {
        let stage = try Stage(
            "faults: [{connection: 1, tls: silent}, {connection: 2, tls: silent}]")
        let said = try stage.check(retries: .seconds(60))
        #expect(said.count == 1)
        #expect(said.first?.hasSuffix("TLS: handshake not finished within 300 ms") == true)
    }

    @Test func `fails when one does not respond before the deadline`() throws {
        let stage = try Stage("faults: [{from: 0s, until: 1h, tls: silent}]")
        let error = #expect(throws: StartFailure.self) { try stage.check(retries: .seconds(1)) }
        #expect(error?.kind == .unavailable)
        #expect(
            error?.diagnostics.first?.message.hasSuffix(
                "TLS: handshake not finished within 300 ms") == true)
    }

    @Test func `does not wait for one that responds wrongly`() throws {
        let stage = try Stage("faults: [{connection: 1, tls: untrusted}]")
        #expect(throws: StartFailure.self) { try stage.check(retries: .seconds(60)) }
    }
}
