import APNs
import Configuration
import TLS
import Testing

@Suite struct `A client certificate in a connector file` {
    private static let authority = Result { try CertificateAuthority.generate(name: "Test") }

    /// A certificate with its key, in PEM.
    private static func pem(
        _ bundleID: String = "com.example.shop", apnsTopics: [String]? = nil,
        isForDevelopment: Bool = true, isForProduction: Bool = true, validFor: Int = 86_400
    ) throws -> String {
        let issued = try authority.get().issueClient(
            bundleID: bundleID, apnsTopics: apnsTopics, isForDevelopment: isForDevelopment,
            isForProduction: isForProduction, validFor: validFor)
        return String(decoding: issued.certificatePEM + issued.keyPEM, as: UTF8.self)
    }

    /// The example with a certificate instead of its key.
    private static let changes = [
        "  key:": "  certificate: \"${env:CERT}\"", "  key_id": "  # no key",
        "  team_id": "  # no team",
    ]

    private static func findings(
        _ pem: String, _ more: [String: String] = [:]
    ) throws -> [String] {
        try Example.findings(
            changes.merging(more) { $1 }, environment: ["CERT": pem, "PASS": "wrong"])
    }

    @Test func `that has expired is rejected with its date`() throws {
        let found = try Self.findings(Self.pem(validFor: -86_400))
        #expect(found.count == 1)
        let text = try #require(found.first)
        #expect(text.hasPrefix("8:16: error: the certificate has expired: it was valid until 20"))
        #expect(text.hasSuffix("create a new one on developer.apple.com and name its file"))
    }

    @Test func `of the other environment is rejected`() throws {
        #expect(
            try Self.findings(Self.pem(isForProduction: false)) == [
                "8:16: error: the certificate is for development only, but 'environment' is "
                    + "production | write environment: development, or use a certificate for "
                    + "production"
            ])
    }

    @Test func `is warned of for a live_activity`() throws {
        let found = try Example.findings(
            Self.changes.merging([
                "  payload": "  priority: 5\n  live_activity: {event: end}"
            ]) { $1 }, environment: ["CERT": try Self.pem()], mode: .lint)
        #expect(
            found.contains(
                "16:3: warning: APNs takes liveactivity pushes with a provider token only, not with"
                    + " a certificate | write key, key_id and team_id in 'apns' instead of"
                    + " 'certificate'"), "\(found)")
    }

    @Test(arguments: ["liveactivity", "location", "fileprovider", "widgets", "controls"])
    func `is warned of for a push type that takes only provider tokens`(type: String) throws {
        let found = try Example.findings(
            Self.changes.merging([
                "  device_token": "  device_token: ${token}\n  push_type: \(type)",
                "  payload": "  payload: ${push}",
            ]) { $1 }, environment: ["CERT": try Self.pem()], mode: .lint)
        #expect(
            found.contains(
                "14:14: warning: APNs takes \(type) pushes with a provider token only, not with a"
                    + " certificate | write key, key_id and team_id in 'apns' instead of"
                    + " 'certificate'"),
            "\(found)")
    }

    @Test func `is no reason for a warning for other push types, nor is a key for these`() throws {
        let alert = try Example.findings(
            Self.changes, environment: ["CERT": try Self.pem()], mode: .lint)
        #expect(!alert.contains { $0.contains("provider token only") }, "\(alert)")
        let key = try Example.findings(
            ["  device_token": "  device_token: ${token}\n  push_type: location"], mode: .lint)
        #expect(!key.contains { $0.contains("provider token only") }, "\(key)")
    }

    @Test func `of another app is rejected`() throws {
        #expect(
            try Self.findings(Self.pem("com.example.pay")) == [
                "11:14: error: the certificate is not for 'com.example.shop': it is for "
                    + "com.example.pay | write its bundle_id, or use the certificate of this app"
            ])
    }

    @Test func `cannot be combined with a key`() throws {
        let found = try Example.findings(
            ["  key:": "  certificate: \"${env:CERT}\"\n  key: \"${env:KEY}\""],
            environment: ["CERT": Self.pem()])
        #expect(
            found == [
                "8:3: error: 'certificate' and 'key' are mutually exclusive"
                    + " | keep one of them: APNs accepts either provider tokens or a certificate"
            ])
    }

    @Test func `without its key is rejected`() throws {
        let whole = try Self.pem()
        let certificate = String(
            whole[
                ..<(whole.firstRange(of: "-----BEGIN PRIVATE")?.lowerBound
                    ?? whole.endIndex)])
        #expect(
            try Self.findings(certificate) == [
                "8:16: error: the certificate's key is not usable: the private key of the "
                    + "certificate is missing | write certificate_key: with the file of its "
                    + "private key, or export both together as PKCS#12"
            ])
    }

    @Test func `that does not exist is an error for run and a warning for lint`() throws {
        let changes = Self.changes.merging(["  key:": "  certificate: no.p12"]) { $1 }
        #expect(
            try Example.findings(changes) == [
                "8:16: error: cannot read 'certificate': no such file or directory"
                    + " | paths are relative to the folder of this file: ."
            ])
        #expect(try Example.findings(changes, mode: .lint).allSatisfy { $0.contains("warning") })
        #expect(try Example.load(changes, mode: .inspect).connector != nil)
    }

    @Test(arguments: ["certificate_key: a.pem", "passphrase: secret"])
    func `is required by the keys that belong to it`(line: String) throws {
        let name = line.prefix { $0 != ":" }
        #expect(
            try Example.findings(["  bundle_id": "  bundle_id: com.example.shop\n  \(line)"]) == [
                "12:3: error: '\(name)' is only valid with 'certificate'"
                    + " | write certificate: with its file, or remove it"
            ])
    }

    @Test func `replaces key, key ID and team ID`() throws {
        let loaded = try Example.load(Self.changes, environment: ["CERT": Self.pem()])
        #expect(loaded.diagnostics.isEmpty)
        guard case .certificate(let certificate)? = loaded.connector?.apns.apps.first?.credential
        else {
            Issue.record("no certificate came of it")
            return
        }
        #expect(certificate.description.bundleID == "com.example.shop")
    }
}

@Suite struct `The route to APNs in a connector file` {
    private static func findings(_ line: String) throws -> [String] {
        try Example.findings(["  bundle_id": "  bundle_id: com.example.shop\n  \(line)"])
    }

    @Test(arguments: [
        (
            "proxy: proxy.corp:3128", "'proxy' has no scheme",
            "write http://host:port or http://user:password@host:port"
        ),
        (
            "proxy: https://proxy.corp:3128", "'proxy' must begin with http://",
            "the connection to the proxy is plain HTTP; the traffic through it is TLS to Apple"
        ),
        (
            "proxy: http://proxy.corp", "'proxy' has no port",
            "write http://host:port or http://user:password@host:port"
        ),
        (
            "proxy: http://proxy.corp:99999", "'proxy' has an invalid port",
            "write a port from 1 to 65535"
        ),
        (
            "proxy: http://me:s%ZZ@proxy.corp:1",
            "'proxy' has a user or password with invalid percent-encoding",
            "write '%' as %25, ':' as %3A and '@' as %40 in them"
        ),
        (
            "proxy: http://proxy.corp:1/pac", "'proxy' must be only a user, a host and a port",
            "write http://host:port or http://user:password@host:port"
        ),
    ])
    func `rejects an invalid proxy without showing it`(
        line: String, message: String, remedy: String
    ) throws {
        #expect(try Self.findings(line) == ["12:10: error: \(message) | \(remedy)"])
        let result = try Example.load(["  bundle_id": "  bundle_id: com.example.shop\n  \(line)"])
        #expect(result.diagnostics.allSatisfy { $0.excerpt == nil })
    }

    @Test func `rejects a port that APNs does not use`() throws {
        let found = try Self.findings("port: 8443")
        #expect(found.first?.contains("'port' must be 443 or 2197, not '8443'") == true)
    }

    @Test func `rejects a port along with an endpoint`() throws {
        #expect(
            try Self.findings("port: 2197\n  endpoint: https://localhost:2197") == [
                "12:3: error: 'port' is only valid without 'endpoint'"
                    + " | write the port in the endpoint: https://host:port"
            ])
    }

    @Test func `accepts a proxy with a user, whatever the password contains`() throws {
        let loaded = try Example.load([
            "  bundle_id":
                "  bundle_id: com.example.shop\n  proxy: http://me:s%40c%3Aret:x@[::1]:3128"
        ])
        let proxy = try #require(loaded.connector?.apns.apps.first?.endpoint.proxy)
        #expect(proxy.host == "::1" && proxy.port == 3128)
        #expect(proxy.user == "me" && proxy.password == "s@c:ret:x")
    }

    @Test func `accepts the other port of APNs and a pause between connections`() throws {
        let loaded = try Example.load([
            "  bundle_id":
                "  bundle_id: com.example.shop\n  port: 2197\n  connect_stagger: 1s"
        ])
        let apns = try #require(loaded.connector?.apns)
        #expect(apns.apps.first?.endpoint.address == "api.push.apple.com:2197")
        #expect(apns.connectStagger == .seconds(1))
    }
}
