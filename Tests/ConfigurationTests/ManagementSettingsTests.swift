import Configuration
import Delivery
import TLS
import Testing

@Suite struct `A connector of a device management server` {
    private static let topic = "com.apple.mgmt.External.a1b2"

    private static func pem(_ userID: String = topic) throws -> String {
        let issued = try CertificateAuthority.generate(name: "Test")
            .issueClient(bundleID: userID, isForDevelopment: false)
        return String(decoding: issued.certificatePEM + issued.keyPEM, as: UTF8.self)
    }

    /// The example with a certificate in place of its key.
    private static let changes = [
        "  key:": "  certificate: \"${env:CERT}\"", "  key_id": "  # no key",
        "  team_id": "  # no team", "  bundle_id": "  # the certificate's",
        "  device_token": "  device_token: ${token}\n  push_type: mdm", "  ttl": "  # any time",
        "  payload": "  payload: {mdm: \"${magic}\"}",
    ]

    private static func load(
        _ more: [String: String] = [:], certificate: String? = nil, mode: ConnectorFile.Mode = .run
    ) throws -> (connector: Connector?, findings: [String]) {
        let certificate = try certificate ?? pem()
        let changes = changes.merging(more) { $1 }
        let environment = ["CERT": certificate]
        return (
            try Example.load(changes, environment: environment, mode: mode).connector,
            try Example.findings(changes, environment: environment, mode: mode)
        )
    }

    @Test func `with a bundle_id that is not the UID of the certificate is rejected`() throws {
        for name in ["com.apple.mgmt.External.other", "com.apple.mgmt.External", "com.example.mdm"]
        {
            let found = try Self.load(["  bundle_id": "  bundle_id: \(name)"]).findings
            #expect(
                found.first == "11:14: error: the certificate is not for '\(name)': it is for"
                    + " \(Self.topic) | write bundle_id: \(Self.topic), or remove it: it defaults"
                    + " to the UID of the certificate")
        }
    }

    @Test func `with a key is rejected`() throws {
        let found = try Example.findings([
            "  bundle_id": "  bundle_id: \(Self.topic)",
            "  device_token": "  device_token: ${token}\n  push_type: mdm",
            "  payload": "  payload: {mdm: \"${magic}\"}",
        ])
        #expect(
            found == [
                "11:14: error: a device management server pushes with a certificate, not with a key"
                    + " | write certificate: mdm.p12, the server's push certificate, in place of"
                    + " key, key_id and team_id"
            ])
    }

    @Test func `with the certificate of an app is rejected`() throws {
        let found = try Self.load(certificate: Self.pem("com.example.shop")).findings
        #expect(
            found == [
                "14:14: error: 'push_type' cannot be 'mdm': 'com.example.shop' is not a device"
                    + " management server | write certificate: mdm.p12 in 'apns', the server's push"
                    + " certificate, in place of key, key_id, team_id and bundle_id"
            ])
    }

    @Test func `with other pushes than mdm is rejected`() throws {
        let found = try Self.load([
            "  device_token": "  device_token: ${token}\n  push_type: alert",
            "  payload": "  payload: {aps: {badge: 1}}", "  ttl": "  ttl: 4h",
        ]).findings
        #expect(found.count == 1, "\(found)")
        let message = "14:14: error: 'push_type' must be mdm: '\(Self.topic)'"
        #expect(found.first?.hasPrefix(message) == true)
    }

    @Test func `takes the UID of its certificate for its bundle_id`() throws {
        for line in ["  # none", "  bundle_id: \(Self.topic)"] {
            let loaded = try Self.load(["  bundle_id": line])
            #expect(loaded.findings == [])
            let apps = try #require(loaded.connector).apns.apps
            #expect(apps.map(\.bundleID) == [Self.topic])
        }
    }

    @Test func `is checked without its certificate, too`() throws {
        let missing = ["  key:": "  certificate: no.p12"]
        #expect(try Self.load(missing, mode: .inspect).connector != nil)
        let found = try Self.load(missing, mode: .lint).findings
        #expect(found.count == 1, "\(found)")
        #expect(found.allSatisfy { $0.contains("warning: cannot read 'certificate'") }, "\(found)")
    }
}

@Suite struct `A certificate without bundle_id beside it` {
    @Test func `says which app it is for`() throws {
        let issued = try CertificateAuthority.generate(name: "Test")
            .issueClient(bundleID: "com.example.shop")
        let pem = String(decoding: issued.certificatePEM + issued.keyPEM, as: UTF8.self)
        let connector = try Example.load(
            [
                "  key:": "  certificate: \"${env:CERT}\"", "  key_id": "  # no key",
                "  team_id": "  # no team", "  bundle_id": "  # the certificate's",
            ], environment: ["CERT": pem]
        ).connector
        #expect(connector?.apns.apps.map(\.bundleID) == ["com.example.shop"])
    }
}

@Suite struct `A connector of broadcasts` {
    @Test(arguments: [
        "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com",
        "api-broadcast.push.apple.com:443",
    ])
    func `may name the other host that Apple's examples have`(host: String) throws {
        let loaded = try Example.load([
            "  environment": "  environment: production\n  endpoint: https://\(host)",
            "  device_token": "  broadcast: {channel: \"${channel}\"}",
            "  payload": "  priority: 5\n  live_activity: {event: end}",
        ])
        #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics)")
        let endpoint = try #require(loaded.connector?.apns.apps.first?.endpoint)
        #expect(endpoint.port == 443 && endpoint.trustRoots == .system)
        #expect(endpoint.host == host.prefix { $0 != ":" })
    }
}

@Suite struct `Advice about the expiration` {
    @Test(arguments: [
        ("widgets", "{aps: {content-changed: true}}"),
        ("controls", "{aps: {content-changed: true}}"), ("pushtotalk", "{}"),
    ])
    func `is not given where one does harm`(type: String, payload: String) throws {
        let found = try Example.findings([
            "  device_token": "  device_token: ${token}\n  push_type: \(type)",
            "  ttl": "  # none", "  payload": "  payload: \(payload)",
        ])
        #expect(found == [])
    }
}
