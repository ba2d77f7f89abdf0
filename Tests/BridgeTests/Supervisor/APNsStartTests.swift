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

        /// `clients` is the authority whose certificates are accepted.
        init(_ scenario: String = "", clients: CertificateAuthority? = nil) throws {
            var identity = try identity.get()
            identity.clientAuthorityPEM = clients?.certificatePEM
            let scenario =
                scenario.isEmpty
                ? .builtIn : try Scenario.parse(Array(scenario.utf8), file: "scenario.yaml")
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

        /// Checks with the connector's key.
        func check() throws { try check(connector.apns.apps[0].credential, hasTime: false) }

        /// Checks with another credential.
        func check(_ credential: CredentialSettings, hasTime: Bool = true) throws {
            var connector = connector
            connector.apns.apps[0].credential = credential
            _ = try APNsCheck.route(
                connector, connector.apns.apps[0], APNsCredential(credential),
                APNsCheck.Timeouts(handshake: hasTime ? nil : .milliseconds(300)))
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

    /// A client certificate, issued by a new authority.
    private func certificate(from authority: CertificateAuthority) throws -> CredentialSettings {
        let issued = try authority.issueClient(bundleID: "com.example.shop")
        return .certificate(
            try ClientCertificate(pem: issued.certificatePEM, keyPEM: issued.keyPEM))
    }

    private func problem(_ body: () throws -> Void) throws -> Diagnostic {
        let error = #expect(throws: StartFailure.self) { try body() }
        #expect(error?.kind == .unavailable && error?.mayPass == false)
        return try #require(error?.diagnostics.first)
    }

    @Test func `succeeds with a client certificate that is accepted`() throws {
        let clients = try CertificateAuthority.generate(name: "Clients")
        try Stage(clients: clients).check(certificate(from: clients))
    }

    @Test(arguments: [true, false])
    func `blames the client certificate if it is rejected, and says what to check`(
        isRevoked: Bool
    ) throws {
        let clients = try CertificateAuthority.generate(name: "Clients")
        let others = try CertificateAuthority.generate(name: "Others")
        let revoked = "faults: [{from: 0s, until: 1h, tls: revoked}]"
        let stage = try Stage(isRevoked ? revoked : "", clients: clients)
        let certificate = try certificate(from: isRevoked ? clients : others)
        let problem = try problem { try stage.check(certificate) }
        #expect(problem.message.contains("rejected by the peer"))
        #expect(problem.remedy?.hasPrefix("check that the certificate has not expired") == true)
    }

    @Test func `does not blame a key for a handshake that is rejected`() throws {
        let stage = try Stage("faults: [{from: 0s, until: 1h, tls: refused}]")
        let problem = try problem { try stage.check(stage.connector.apns.apps[0].credential) }
        #expect(problem.remedy?.contains("requires a client certificate or rejects the") == true)
    }

    @Test func `fails if one responds wrongly, which does not pass by itself`() throws {
        let stage = try Stage("faults: [{connection: 1, tls: untrusted}]")
        let error = #expect(throws: StartFailure.self) { try stage.check() }
        #expect(error?.kind == .unavailable && error?.mayPass == false)
    }
}
