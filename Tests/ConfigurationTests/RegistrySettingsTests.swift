import Configuration
import Mapping
import Testing

@Suite struct `The schema registry of a connector` {
    /// The connector of the tests in Avro, with a block for the registry.
    private func load(
        _ block: String, format: String = "avro"
    ) throws -> (registry: SchemaRegistrySettings?, messages: [String]) {
        let text = Example.text.replacing("  group", with: "  format: \(format)\n  group")
        let loaded = ConnectorFile.load(
            bytes: Array((text + block).utf8), path: "a.yaml",
            environment: try Example.environment())
        return (loaded.connector?.schemaRegistry, loaded.diagnostics.map(\.message))
    }

    @Test func `is read with all its settings`() throws {
        let (registry, messages) = try load(
            """
            schema_registry:
              url: ["https://r:8081/", "http://[::1]:8081"]
              username: u
              password: p
              timeout: 3s
              id: 8
              ids: content

            """)
        #expect(messages == [])
        #expect(registry?.urls == ["https://r:8081", "http://[::1]:8081"])
        #expect(registry?.username == "u" && registry?.password == "p")
        #expect(registry?.timeout == .seconds(3))
        #expect(registry?.idBytes == 8 && registry?.ids == .content)
        #expect(registry?.formats == [.avro])
    }

    @Test func `has schemas in the format of the records`() throws {
        let (registry, messages) = try load(
            "schema_registry: {url: [\"http://r\"]}\n", format: "protobuf")
        #expect(messages == [] && registry?.formats == [.protobuf])
    }

    @Test func `is needed by keys as well`() throws {
        let registry = "schema_registry: {url: [\"http://r\"]}\n"
        let (plain, messages) = try load(registry, format: "json\n  key_format: avro")
        #expect(messages == [] && plain?.formats == [.avro])
        #expect(
            try load(registry, format: "avro\n  key_format: protobuf").registry?.formats
                == [.avro, .protobuf])
        #expect(
            try load("", format: "json\n  key_format: avro").messages
                == ["'key_format: avro' needs 'schema_registry'"])
        #expect(try load("", format: "json\n  key_format: json").messages == [])
    }

    @Test(arguments: [
        ("", "avro", "'format: avro' needs 'schema_registry'"),
        ("", "protobuf", "'format: protobuf' needs 'schema_registry'"),
        (
            #"url: ["http://r"]"#, "json",
            "'schema_registry' is only valid with 'format' or 'key_format' avro or protobuf"
        ),
        (
            #"url: ["ftp://r"]"#, "avro",
            "'url' contains something that is not the address of a registry"
        ),
        (
            #"url: ["http://u:p@r"]"#, "avro", "'url' contains a user or a password"
        ),
        (#"url: ["http://r"], password: x"#, "avro", "'password' is only valid with 'username'"),
        (
            #"url: ["https://r"], username: u, password: p, token: t"#, "avro",
            "'token' cannot be used with 'username'"
        ),
        (#"url: ["http://r"], ids: global"#, "avro", "'ids' is only valid with 'id: 8'"),
        (
            #"url: ["http://r"], certificate_key: k.pem"#, "avro",
            "'certificate_key' is only valid with 'certificate'"
        ),
        (#"url: ["http://r"], ca_file: gone.pem"#, "avro", "cannot read 'ca_file'"),
        (
            #"url: ["http://r"], token: t"#, "avro",
            "the password or token is sent to http://r without encryption"
        ),
    ])
    func `is rejected with what is wrong`(
        block: String, format: String, expected: String
    ) throws {
        let text = block.isEmpty ? "" : "schema_registry: {\(block)}\n"
        let messages = try load(text, format: format).messages
        #expect(messages.contains { $0.hasPrefix(expected) }, "\(messages)")
    }

    @Test func `does not repeat the password of an address that is not in a list`() throws {
        let findings = try Example.findings(
            ["  group": "  group: apns-orders\n  format: avro"],
            adding: "schema_registry: {url: \"http://me:tiger@r\"}\n")
        #expect(findings.contains { $0.contains("'url' must be a list of strings") })
        #expect(!findings.contains { $0.contains("tiger") }, "\(findings)")
    }

    @Test(arguments: ["http://me:tiger@r", "https://me:ti/ger@r:8081", "http://tiger@r"])
    func `has user and password beside its address, which are not repeated`(url: String) throws {
        let findings = try Example.findings(
            ["  group": "  group: apns-orders\n  format: avro"],
            adding: "schema_registry: {url: [\"\(url)\"], username: me, password: x}\n")
        #expect(findings.count == 1)
        let finding = try #require(findings.first)
        #expect(
            finding.hasSuffix(
                "error: 'url' contains a user or a password | write the address without them, and"
                    + " username: and password: beside it, each as \"${env:NAME}\" or"
                    + " \"${file:PATH}\""), "\(finding)")
        #expect(!finding.contains("tiger") && !finding.contains("ger@"))
    }

    @Test(arguments: ["http://me:tiger@r", "https://me:ti/ger@r:8081", "http://tiger@r"])
    func `is not shown with a password in the excerpt of its file`(url: String) throws {
        let loaded = try Example.load(
            ["  group": "  group: apns-orders\n  format: avro"],
            adding: "schema_registry: {url: [\"\(url)\"]}\n")
        #expect(loaded.diagnostics.contains { $0.message.hasPrefix("'url' contains a user") })
        #expect(loaded.diagnostics.allSatisfy { $0.excerpt == nil })
    }

    @Test(arguments: ["protobuff", "json\n  key_format: avo"])
    func `is not called superfluous where the format is misspelled`(format: String) throws {
        let messages = try load("schema_registry: {url: [\"http://r\"]}\n", format: format).messages
        #expect(messages.count == 1 && !messages[0].contains("schema_registry"), "\(messages)")
    }

    @Test(arguments: ["url: http://r", "username: u", "urls: [http://r]"])
    func `is not called missing where it has no readable address`(block: String) throws {
        let messages = try load("schema_registry: {\(block)}\n").messages
        let isCalledMissing = messages.contains { $0.contains("needs 'schema_registry'") }
        #expect(!messages.isEmpty && !isCalledMissing, "\(messages)")
    }

    @Test func `may be sent a token on this machine without encryption`() throws {
        #expect(
            try load("schema_registry: {url: [\"http://localhost:8081\"], token: t}\n").messages
                == [])
    }
}
