import Configuration
import Testing
import YAML

/// JSON is YAML, so the schema is read with our own reader.
@Suite struct `The JSON Schema of the connector file` {
    private let schema: YAMLNode

    init() throws {
        schema = try YAMLDocument.parse(ConnectorSchema.json(), file: "connector.json")
    }

    /// Every key with its path and its schema; notifications have a test of their own.
    private func keys(_ node: YAMLNode, path: String = "") -> [(path: String, schema: YAMLNode)] {
        (node["properties"]?.entries ?? []).flatMap { key, value in
            let name = path.isEmpty ? key.text ?? "" : "\(path).\(key.text ?? "")"
            guard !Self.ofMapping.contains(name) else {
                return [] as [(path: String, schema: YAMLNode)]
            }
            return [(name, value)] + keys(value, path: name)
        }
    }

    /// A schema's examples as one connector in flow style, without the keys at some paths.
    private func connector(
        _ node: YAMLNode, path: String = "", without missing: Set<String> = []
    ) -> String {
        let members = (node["properties"]?.entries ?? []).compactMap { key, value -> String? in
            let name = path.isEmpty ? key.text ?? "" : "\(path).\(key.text ?? "")"
            guard !missing.contains(name) else { return nil }
            if value["properties"] != nil, !Self.ofMapping.contains(name) {
                return "\"\(key.text ?? "")\": \(connector(value, path: name, without: missing))"
            }
            guard let example = value["examples"]?.elements?.first else { return nil }
            return "\"\(key.text ?? "")\": \(Self.flow(example))"
        }
        return "{\(members.joined(separator: ", "))}"
    }

    private static func flow(_ node: YAMLNode) -> String {
        switch node.kind {
        case .scalar(let text, .plain): text
        case .scalar(let text, _):
            "'\(text.replacing(/file:(AuthKey\.p8|seal\.key)/, with: "env:KEY"))'"
        case .sequence(let elements): "[\(elements.map(flow).joined(separator: ", "))]"
        case .mapping(let entries):
            "{\(entries.map { "\(flow($0.key)): \(flow($0.value))" }.joined(separator: ", "))}"
        }
    }

    private func messages(_ text: String) throws -> [String] {
        ConnectorFile.load(
            bytes: Array(text.utf8), path: "a.yaml", environment: try Example.environment()
        ).diagnostics.map(\.message)
    }

    /// Keys that need a file, or are not valid with the others.
    private static let alone: Set = [
        "apns.ca_file", "apns.certificate", "apns.certificate_key", "apns.passphrase", "apns.port",
        "kafka_login.oauth.ca_file", "kafka_login.oauth.client_assertion_file",
        "kafka_login.token_file", "policy", "schema_registry.ca_file",
        "schema_registry.certificate", "schema_registry.certificate_key", "schema_registry.token",
    ]

    /// The blocks whose keys have a test of their own.
    private static let ofMapping: Set = ["notification", "policy"]

    @Test func `offers only keys that the loader accepts, with an example for each`() throws {
        let other = Self.alone.union(["kafka_login.aws_msk_iam"])
        let withoutFile = other.union(["notification", "when"])
        let advice = ["'seal_since' is set: records without a seal are accepted if a broker says"
            + " that they are older"]
        #expect(try messages(connector(schema, without: withoutFile)) == advice)
        let withoutList = other.union(["notifications", "match"])
        #expect(try messages(connector(schema, without: withoutList)) == advice)
        for (path, schema) in keys(schema) where schema["properties"] == nil {
            #expect(schema["examples"] != nil, "\(path)")
        }
    }

    @Test func `requires what the loader requires`() throws {
        let parents = [("", schema)] + keys(schema)
        var count = 0
        for (path, schema) in parents {
            let always = schema["required"]?.elements ?? []
            let otherwise = schema["anyOf"]?.elements?.first?["required"]?.elements ?? []
            for name in (always + otherwise).compactMap(\.text) {
                let missing = path.isEmpty ? name : "\(path).\(name)"
                let text = connector(
                    self.schema,
                    without: Self.alone.union([missing, "apns.app", "apns.apps", "notification"]))
                let found = try messages(text)
                #expect(found.contains { $0.hasPrefix("'\(name)' is missing") }, "\(missing)")
                count += 1
            }
        }
        #expect(count == 17)
    }

    @Test func `has every key that the loader suggests`() throws {
        for parent in [("", schema)] + keys(schema) where parent.1["properties"] != nil {
            let names = parent.1["properties"]?.entries?.compactMap(\.key.text) ?? []
            let text = parent.0.split(separator: ".").reversed()
                .reduce("{zzzzzzzzzzzz: 1}") { "{\($1): \($0)}" }
            let remedies = ConnectorFile.load(
                bytes: Array(text.utf8), path: "a.yaml", environment: [:]
            ).diagnostics.compactMap(\.remedy)
            #expect(remedies.contains("valid keys: \(names.joined(separator: ", "))"))
        }
    }

    @Test func `rejects unknown keys as the loader does`() {
        for parent in [("", schema)] + keys(schema) where parent.1["properties"] != nil {
            #expect(parent.1["additionalProperties"]?.text == "false", "\(parent.0)")
        }
    }

    @Test func `describes every key in a sentence`() {
        for (path, schema) in keys(schema) {
            #expect(schema["description"]?.text?.hasSuffix(".") == true, "\(path)")
            #expect(schema["title"]?.text == path.split(separator: ".").last.map(String.init))
        }
    }

    @Test func `names the loader's defaults`() throws {
        let members = keys(schema).compactMap { path, schema -> (String, String)? in
            guard let text = schema["default"]?.text else { return nil }
            return (path, text)
        }
        #expect(members.count == 42)
        var text = Example.text
        for (path, value) in members where !path.contains(".") { text += "\(path): \(value)\n" }
        func block(_ name: String) -> String {
            members.filter {
                $0.0.hasPrefix(name + ".") && !$0.0.dropFirst(name.count + 1).contains(".")
            }
            .map { "\($0.0.dropFirst(name.count + 1)): \($0.1)" }.joined(separator: ", ")
        }
        text += "delivery: {\(block("delivery")), retry: {\(block("delivery.retry"))}"
        text += ", rate: {\(block("delivery.rate"))}}\nguard: {\(block("guard"))}\n"
        let connector = try #require(
            ConnectorFile.load(
                bytes: Array(text.utf8), path: "a.yaml", environment: try Example.environment()
            ).connector)
        #expect(connector.delivery == DeliverySettings())
        #expect(connector.invalidation == GuardSettings())
        #expect(connector.workers == 1)
        #expect(connector.shutdownDeadline == .seconds(25))
        #expect(connector.startupDeadline == .seconds(60))
    }
}
