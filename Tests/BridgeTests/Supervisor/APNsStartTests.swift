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

        func check() throws {
            guard case .key(let key, let keyID, let teamID) = connector.apns.apps[0].credential
            else { return }
            let tokens = ProviderTokens(key: key, keyID: keyID, teamID: teamID)
            _ = try APNsCheck.route(
                connector, connector.apns.apps[0], .tokens(tokens),
                APNsCheck.Patience(handshake: .milliseconds(300)))
        }
    }

    @Test func `fails if one does not respond, which may pass`() throws {
        let stage = try Stage("faults: [{from: 0s, until: 1h, tls: silent}]")
        let error = #expect(throws: StartFailure.self) { try stage.check() }
        #expect(error?.kind == .unavailable && error?.mayPass == true)
        #expect(
            error?.diagnostics.first?.message.hasSuffix(
                "TLS: handshake not finished within 300 ms") == true)
    }

    @Test func `fails if one responds wrongly, which does not pass by itself`() throws {
        let stage = try Stage("faults: [{connection: 1, tls: untrusted}]")
        let error = #expect(throws: StartFailure.self) { try stage.check() }
        #expect(error?.kind == .unavailable && error?.mayPass == false)
    }
}
