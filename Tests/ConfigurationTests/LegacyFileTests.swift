import Configuration
import Contracts
import Foundation
import TLS
import Testing

@Suite struct `A file for legacy providers` {
    private let folder: LegacyFolder

    init() throws { folder = try LegacyFolder() }

    @Test func `has all that a gateway needs`() throws {
        let loaded = try folder.gateway(LegacyFolder.gateway)
        #expect(loaded.diagnostics == [])
        let settings = try #require(loaded.settings)
        #expect(settings.listen.host == "127.0.0.1" && settings.listen.port == 2195)
        #expect(settings.listen.connections == 1000)
        #expect(settings.payload == 256 && settings.framePayload == 2048)
        #expect(settings.apps.map(\.name) == ["shop", "pay"])
        #expect(settings.apps[0].authorities.count == 1)
        #expect(settings.apps[1].fingerprints == [[UInt8](repeating: 0x3F, count: 32)])
        #expect(settings.apps.map(\.environment) == [.production, .development])
    }

    @Test func `has all that a feedback service needs`() throws {
        let path = try folder.write("a.feedback-service.yaml", LegacyFolder.feedback)
        let loaded = LegacyFile.read(.feedback, path: path, environment: [:])
        #expect(loaded.diagnostics == [])
        guard case .feedback(let settings)? = loaded.settings else {
            return #expect(Bool(false), "not the settings of a feedback service")
        }
        #expect(settings.listen.port == 2196)
        #expect(settings.group == "apns-feedback")
        let group = settings.group(of: try #require(settings.apps.first))
        for contract in Contract.having("groups.txt") {
            #expect(try contract.lines("groups.txt").contains("feedback \(group)"), "\(contract)")
        }
    }

    /// A replacement in the file, and the line, the message and the remedy that follow.
    static let mistakes: [(String, String, Int, String, String)] = [
        ("topic: legacy.pushes", "topics: legacy.pushes", 3, "unknown key 'topics'", "'topic'?"),
        ("topic: legacy.pushes", "", 1, "'topic' is missing", "write topic: legacy.pushes"),
        ("topic: legacy.pushes", "topic: a b", 3, "'a b' is", "write 1 to 249"),
        (
            "certificate: gateway.pem", "certificate: gone.pem", 1,
            "cannot read 'certificate': no such file", "paths are relative to the folder"
        ),
        (
            "certificate_key: gateway.key", "certificate_key: ca.pem", 1,
            "the certificate's key is not usable", "write certificate_key:"
        ),
        (
            "client_ca_file: ca.pem", "client_ca_file: empty.pem", 5,
            "'client_ca_file' does not contain a PEM certificate", "-----BEGIN CERTIFICATE-----"
        ),
        (
            "client_ca_file: ca.pem", "environment: production", 5,
            "'client_ca_file' is missing in apps.shop", "write client_ca_file: clients.pem"
        ),
        (
            "environment: development", "environment: developement", 8,
            "'environment' must be production or development or sandbox",
            "did you mean 'development'?"
        ),
        (
            "bundle_id: com.example.pay", "bundle_id: com_example", 7,
            "'com_example' is not a bundle identifier", "write it as Xcode shows it"
        ),
        ("[\"3F", "[\"3G", 9, "not a SHA-256 fingerprint", "openssl x509"),
        ("{payload: 256}", "{payload: 0}", 10, "'payload' must be a size", "write payload: 2048"),
        ("{payload: 256}", "{paylod: 256}", 10, "unknown key 'paylod' in limits", "'payload'?"),
        ("port: 2195", "port: 70000", 1, "'port' must be a whole number", "write port: 2195"),
        (
            "bootstrap.servers", "bootstrap.server", 2, "librdkafka has no property",
            "'bootstrap.servers'?"
        ),
        (
            "9092\"}", "9092\", message.timeout.ms: 1000}", 2,
            "'message.timeout.ms' is not supported in a legacy gateway", "remove it: a push waits"
        ),
        (
            "9092\"}", "9092\", delivery.timeout.ms: 1000}", 2,
            "'delivery.timeout.ms' is not supported in a legacy gateway", "remove it: a push waits"
        ),
    ]

    @Test(arguments: mistakes)
    func `is rejected with the line of a mistake and what to write instead`(
        old: String, new: String, line: Int, message: String, remedy: String
    ) throws {
        let text = LegacyFolder.gateway.replacingOccurrences(of: old, with: new)
        try #require(text != LegacyFolder.gateway)
        let loaded = try folder.gateway(text)
        #expect(loaded.settings == nil)
        let found = try #require(loaded.diagnostics.first { $0.severity == .error })
        #expect(found.line == line, "\(found)")
        #expect(found.message.contains(message), "\(found)")
        #expect(found.remedy?.contains(remedy) == true, "\(found)")
    }

    @Test(arguments: LegacyFile.Kind.allCases)
    func `may log in to Kafka with tokens`(kind: LegacyFile.Kind) throws {
        let text = kind == .gateway ? LegacyFolder.gateway : LegacyFolder.feedback
        func read(_ login: String) throws -> (
            settings: LegacySettings?, diagnostics: [Diagnostic]
        ) {
            let path = try folder.write("a.\(kind.rawValue).yaml", "\(text)\nkafka_login: \(login)")
            return LegacyFile.read(kind, path: path, environment: ["AWS_PROFILE": "push"])
        }
        let settings = try #require(try read("{aws_msk_iam: {region: eu-west-1}}").settings)
        let login = KafkaLoginSettings.AWSMSK(
            region: "eu-west-1", environment: ["AWS_PROFILE": "push"])
        #expect(settings.kafkaLogin == .awsMSK(login))
        #expect(settings.kafka.contains { $0.value == "OAUTHBEARER" })
        let empty = try read("{}")
        #expect(empty.settings == nil)
        #expect(empty.diagnostics.map(\.message) == ["'kafka_login' has no source of tokens"])
    }

    @Test func `may not give one certificate to two apps`() throws {
        let both = LegacyFolder.gateway.replacingOccurrences(
            of: "client_ca_file: ca.pem",
            with: "client_fingerprints: [\"" + String(repeating: "3f", count: 32) + "\"]")
        let first = try folder.gateway(both).diagnostics
        #expect(first.map(\.line) == [6])
        #expect(first[0].message == "'pay' and 'shop' have the same fingerprint")
        let same = """
            listen: {certificate: gateway.pem, certificate_key: gateway.key}
            kafka: {bootstrap.servers: "localhost:9092"}
            topic: legacy.pushes
            apps:
              one: {bundle_id: com.example.shop, client_ca_file: ca.pem}
              two: {bundle_id: com.example.shop, client_ca_file: ca.pem, environment: development}
            """
        let second = try folder.gateway(same).diagnostics
        #expect(second.map(\.line) == [6])
        #expect(second.first?.message.contains("accept the same certificates") == true)
    }

    @Test func `is distinguished from a connector by its name`() throws {
        let path = try folder.write("orders.yaml", LegacyFolder.gateway)
        let wrong = LegacyFile.read(.gateway, path: path, environment: [:]).diagnostics
        #expect(wrong.first?.message.contains("does not end in '.legacy-gateway.yaml'") == true)
        let right = try folder.write("a.legacy-gateway.yaml", LegacyFolder.gateway)
        let loaded = ConnectorFile.load(path: right, environment: [:])
        #expect(loaded.diagnostics.first?.message == "this file is not a connector")
        #expect(
            loaded.diagnostics.first?.remedy
                == "start it with: apns-bridge legacy-gateway \(right)")
    }

    @Test func `may be in a folder of connectors, where only lint reads it`() throws {
        _ = try folder.write("a.legacy-gateway.yaml", "topic: 7")
        _ = try folder.write("b.feedback-service.yaml", "")
        let connector = try folder.write("c.yaml", "")
        #expect(try ConnectorFile.files(at: folder.path) == [connector])
        let linted = ConnectorFile.load(paths: [folder.path], environment: [:], mode: .lint)
        #expect(linted.files.count == 3)
        for name in ["a.legacy-gateway.yaml", "b.feedback-service.yaml"] {
            #expect(linted.diagnostics.contains { $0.file.hasSuffix(name) })
        }
        let run = ConnectorFile.load(paths: [folder.path], environment: [:])
        #expect(run.files == [connector])
    }

    @Test func `causes only a warning in lint if its files are missing`() throws {
        let path = try folder.write(
            "a.legacy-gateway.yaml",
            LegacyFolder.gateway.replacingOccurrences(of: "gateway.pem", with: "later.pem"))
        let linted = ConnectorFile.load(paths: [path], environment: [:], mode: .lint)
        #expect(linted.diagnostics.map(\.severity) == [.warning])
    }

    @Test(arguments: LegacyFile.Kind.allCases)
    func `has a schema with every key that its loader reads`(kind: LegacyFile.Kind) throws {
        let text = ConnectorSchema.json(of: kind)
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let properties = try #require(object?["properties"] as? [String: Any])
        let common = ["apps", "kafka", "kafka_login", "limits", "listen", "version"]
        let own =
            kind == .gateway
            ? ["shutdown_deadline", "topic"] : ["group", "seal", "seal_since", "unregistered"]
        #expect(properties.keys.sorted() == (common + own).sorted())
        #expect(object?["additionalProperties"] as? Bool == false)
    }
}

/// A folder with certificates, and the text of a file of each kind.
final class LegacyFolder {
    static let gateway = """
        listen: {port: 2195, certificate: gateway.pem, certificate_key: gateway.key}
        kafka: {bootstrap.servers: "localhost:9092"}
        topic: legacy.pushes
        apps:
          shop: {bundle_id: com.example.shop, client_ca_file: ca.pem}
          pay:
            bundle_id: com.example.pay
            environment: development
            client_fingerprints: ["\(Array(repeating: "3F", count: 32).joined(separator: ":"))"]
        limits: {payload: 256}
        """

    static let feedback = """
        listen: {certificate: gateway.pem, certificate_key: gateway.key}
        kafka: {bootstrap.servers: "localhost:9092"}
        unregistered: apns.unregistered
        group: apns-feedback
        seal: ['${env:SEAL ?? "a key of a feedback service"}']
        apps:
          shop: {bundle_id: com.example.shop, client_ca_file: ca.pem}
        """

    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let authority = try CertificateAuthority.generate(name: "Clients")
        let server = try authority.issue()
        try Data(authority.certificatePEM).write(to: folder.appending(path: "ca.pem"))
        try Data(server.certificatePEM).write(to: folder.appending(path: "gateway.pem"))
        try Data(server.keyPEM).write(to: folder.appending(path: "gateway.key"))
        try Data().write(to: folder.appending(path: "empty.pem"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var path: String { folder.path }

    func write(_ name: String, _ text: String) throws -> String {
        let file = folder.appending(path: name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    func gateway(
        _ text: String
    ) throws -> (settings: LegacyGatewaySettings?, diagnostics: [Diagnostic]) {
        let path = try write("a.legacy-gateway.yaml", text)
        let loaded = LegacyFile.read(.gateway, path: path, environment: [:])
        if case .gateway(let settings)? = loaded.settings { return (settings, loaded.diagnostics) }
        return (nil, loaded.diagnostics)
    }
}
