import Configuration
import Testing

@testable import Bridge

@Suite struct `An examination of APNs with a client certificate` {
    /// What doctor advises when APNs has a fault in TLS.
    private func advice(_ fault: String) async throws -> String {
        let bridge = try ExaminedBridge()
        try bridge.useCertificate(hours: 365 * 24)
        bridge.scenario = "faults: [{from: 0s, until: 1h, tls: \(fault)}]"
        let found = try await bridge.findings().filter { $0.result == .failed }
        #expect(found.count == 1 && found.first?.check.hasPrefix("apns ") == true, "\(found)")
        return found.first?.action ?? ""
    }

    @Test func `says what to check about a certificate that was revoked`() async throws {
        #expect(try await advice("revoked").hasPrefix("check that the certificate has not expired"))
    }

    @Test func `says "perhaps" if APNs gives no reason`() async throws {
        #expect(
            try await advice("refused")
                .hasPrefix("perhaps APNs rejects the client certificate, it gives no reason: "))
    }

    @Test(arguments: [
        ("com.example.shop", "--alert Test'"),
        (
            "com.apple.mgmt.External.6d646d00-0000-4000-8000-000000000001",
            #"`echo '{"mdm":"Test"}' | apns-bridge send"#
        ),
    ])
    func `says how to try the credential with a push that it allows`(
        bundleID: String, command: String
    ) async throws {
        let bridge = try ExaminedBridge()
        try bridge.useCertificate(hours: 365 * 24)
        bridge.connector.apns.apps[0].bundleID = bundleID
        let found = try await bridge.findings().filter { $0.check.hasPrefix("apns ") }
        #expect(found.map(\.result) == [.passed])
        #expect(found.first?.detail.contains(command) == true, "\(found)")
    }

    @Test func `does not blame the certificate for an internal error`() async throws {
        #expect(
            try await advice("broken")
                == "the server ended the TLS connection: its own log says why; check 'endpoint'")
    }
}
