import APNs
import BridgeSamples
import Configuration
import EventLoop
import TLS
import Testing

@testable import Bridge

@Suite struct `A failed check of APNs` {
    @Test func `closes its socket if the address does not speak TLS`() throws {
        var kernel = try LinuxKernel(capacity: 8)
        let listener = try kernel.listen(on: .loopback(port: 0), token: 1)
        let address = kernel.localAddress(of: listener)
        let port = try #require(address).port
        #expect(throws: StartFailure.self) { try Self.check(port: port) }
        let accepted = kernel.accept(from: listener, token: 2)
        let socket = try #require(accepted)
        var transfer = Transfer.wouldBlock
        repeat { transfer = kernel.receive(from: socket) { _ in } } while transfer.isBytes
        #expect(transfer == .ended)
        kernel.close(socket)
        kernel.close(listener)
    }

    /// A check that gives up soon.
    private static func check(port: UInt16) throws {
        let trust = try CertificateAuthority.generate(name: "Test").certificatePEM
        let connector = try Samples.connector(plan: Samples.canonicalPlan())
        var app = connector.apns.apps[0]
        app.endpoint.host = "127.0.0.1"
        app.endpoint.port = port
        app.endpoint.trustRoots = .pem(trust)
        let tokens = ProviderTokens(
            key: try SigningKey.generate(), keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
        _ = try APNsCheck.route(
            connector, app, .tokens(tokens),
            APNsCheck.Timeouts(handshake: .milliseconds(200)))
    }
}

extension Transfer {
    fileprivate var isBytes: Bool { if case .bytes = self { true } else { false } }
}
