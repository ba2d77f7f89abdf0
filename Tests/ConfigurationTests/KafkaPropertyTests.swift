import Configuration
import Foundation
import TLS
import Testing

@Suite struct `A property of Kafka in a connector file` {
    private func findings(_ line: String, environment: [String: String] = [:]) throws -> [String] {
        try Example.findings(
            ["  bootstrap": "  bootstrap.servers: localhost:9092\n  \(line)"],
            environment: environment)
    }

    @Test func `that names a file is relative to the folder of the connector`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pem = try SigningKey.generate().privateKeyPEM
        for name in ["ca.pem", "client.pem"] {
            try Data(pem).write(to: folder.appending(path: name))
        }
        let properties = """
              bootstrap.servers: localhost:9092
              ssl.ca.location: ca.pem
              ssl.crl.location: \(folder.path)/client.pem
            """
        let text = Example.text.replacing("  bootstrap.servers: localhost:9092", with: properties)
        let result = ConnectorFile.load(
            bytes: Array(text.utf8), path: folder.appending(path: "orders.yaml").path,
            environment: try Example.environment(), mode: .lint)
        #expect(!result.diagnostics.contains { $0.message.contains("cannot read") })
        let kafka = result.connector?.kafka ?? []
        #expect(kafka.first { $0.name == "ssl.ca.location" }?.value == folder.path + "/ca.pem")
        #expect(
            kafka.first { $0.name == "ssl.crl.location" }?.value == folder.path + "/client.pem")
    }

    @Test func `for OAuth needs a source of tokens`() throws {
        let mechanism = "sasl.mechanism: OAUTHBEARER\n  security.protocol: SASL_SSL"
        #expect(
            try findings(mechanism) == [
                "6:19: error: nothing supplies OAuth tokens | add kafka_login at the top level:"
                    + " {oauth: {token_url, client_id, client_secret}}, {aws_msk_iam: {region}} or"
                    + " {token_file: PATH}"
            ])
        #expect(
            try findings(mechanism + "\n  enable.sasl.oauthbearer.unsecure.jwt: true") == [])
    }

    @Test func `that asks librdkafka to look for authorities is no path`() throws {
        #expect(try findings("ssl.ca.location: probe") == [])
    }

    @Test(arguments: [
        (
            "enable.auto.commit: true",
            "'enable.auto.commit' would commit records that have no outcome yet"
                + " | the bridge commits offsets itself; remove it"
        ),
        ("group.id: x", "'group.id' is set by source.group | remove it here"),
        (
            "acks: 1",
            "'acks' would lose outcomes"
                + " | the bridge always waits for all in-sync replicas; remove it"
        ),
        (
            "partition.assignment.strategy: range",
            "'partition.assignment.strategy' must be cooperative-sticky, which is the default"
                + " | with any other strategy a rebalance stops every partition"
        ),
    ])
    func `that would break a promise is rejected with the reason`(
        line: String, finding: String
    ) throws {
        #expect(try findings(line) == ["6:3: error: \(finding)"])
    }

    @Test(arguments: [
        ("session.timeout.ms: 6000", 3000, 6000), ("heartbeat.interval.ms: 20000", 20_000, 45_000),
    ])
    func `that lets a session end after one lost heartbeat causes a warning`(
        line: String, heartbeat: Int, session: Int
    ) throws {
        let location = line.split(separator: " ")[0].count + 4
        #expect(
            try findings(line) == [
                "6:\(location): warning: heartbeat.interval.ms=\(heartbeat) is more than a third of"
                    + " session.timeout.ms=\(session): a lost heartbeat or two end the session"
                    + " | write heartbeat.interval.ms: \(session / 3)"
            ])
        #expect(try findings("session.timeout.ms: 9000") == [])
    }

    @Test func `that librdkafka does not know is rejected with a suggestion`() throws {
        #expect(
            try findings("lingr.ms: 5") == [
                "6:3: error: librdkafka has no property 'lingr.ms' | did you mean 'linger.ms'?"
            ])
        #expect(
            try Example.findings(["  bootstrap": "  bootstrap.server: localhost:9092"]) == [
                "5:3: error: librdkafka has no property 'bootstrap.server'"
                    + " | did you mean 'bootstrap.servers'?"
            ])
    }

    @Test func `with an invalid value is rejected in librdkafka's words`() throws {
        #expect(
            try findings("queued.min.messages: 0") == [
                "6:3: error: Configuration property \"queued.min.messages\" value 0 is outside"
                    + " allowed range 1..10000000"
                    + " | see its valid values in librdkafka's CONFIGURATION.md"
            ])
    }

    @Test func `names a file that cannot be read, and what it lacks if that is another property`()
        throws
    {
        let key = try findings("security.protocol: ssl\n  ssl.key.location: /nope.pem")
        #expect(key.count == 1 && key.joined().contains("cannot read /nope.pem"), "\(key)")
        let store = try findings("security.protocol: ssl\n  ssl.keystore.location: /nope.p12")
        #expect(store.count == 1 && store.joined().contains("is mandatory"), "\(store)")
        #expect(!store.joined().contains("cannot read"), "\(store)")
    }

    @Test func `does not show a value from outside the file in librdkafka's words`() throws {
        let findings = try findings(
            "security.protocol: ${env:S}", environment: ["S": "hunter2"])
        #expect(findings.count == 1)
        #expect(!findings.joined().contains("hunter2"))
    }

    @Test(arguments: [
        "client.id: 12", "allow.auto.create.topics: false", "group.instance.id: a",
        "linger.ms: 20", "security.protocol: PLAINTEXT", "fetch.min.bytes: 1",
    ])
    func `of any other name is passed through unchanged`(line: String) throws {
        let connector = try Example.load([
            "  bootstrap": "  bootstrap.servers: localhost:9092\n  \(line)"
        ]).connector
        let parts = line.split(separator: ": ")
        #expect(connector?.kafka.last?.name == String(parts[0]))
        #expect(connector?.kafka.last?.value == String(parts[1]))
    }

    @Test(arguments: [
        ("http://kafka:9092", "an address with a protocol that Kafka does not have"),
        ("kafka:99999", "an address with an invalid port"),
        ("kafka:x", "an address with an invalid port"),
        ("a:1:2", "an address with more than one ':'"), ("[::1:9092", "an address without a ']'"),
        (":9092", "an address without a valid host name"), (",", "no address"),
    ])
    func `may not have addresses that librdkafka would silently ignore`(
        addresses: String, fault: String
    ) throws {
        let findings = try Example.findings(
            ["  bootstrap": "  bootstrap.servers: \"\(addresses)\""])
        #expect(findings.count == 1)
        #expect(
            findings.first?.hasPrefix("5:22: error: 'bootstrap.servers' has \(fault) | ") == true)
    }

    @Test(arguments: ["kafka", "a:1, b:2", "[::1]:9092", "SASL_SSL://kafka:9092", "10.0.0.1:9092,"])
    func `may have addresses in every form that librdkafka accepts`(addresses: String) throws {
        #expect(
            try Example.findings(["  bootstrap": "  bootstrap.servers: \"\(addresses)\""]) == [])
    }
}
