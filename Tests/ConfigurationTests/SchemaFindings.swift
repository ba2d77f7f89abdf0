import Configuration
import Mapping

/// What is found about schemas in a connector for records in a format, which has more lines.
func schemaFindings(
    _ lines: String, _ schemas: EventSchemas, format: String = "avro", source: String = ""
) -> [String] {
    let text = """
        source: {topics: [a], group: g, format: \(format)\(source)}
        schema_registry: {url: ["http://localhost:8081"]}
        kafka: {bootstrap.servers: "k:9092"}
        apns:
          {environment: production, key: x, key_id: ABC123DEFG, team_id: DEF123GHIJ, bundle_id: c.d}
        results: {outcomes: o, unregistered: u, dead_letter: d}
        \(lines)
        """
    let loaded = ConnectorFile.load(
        bytes: Array(text.utf8), path: "a.yaml", environment: [:], mode: .lint, schemas: schemas)
    return loaded.diagnostics.filter { $0.message.contains("schema") }.map { one in
        "\(one.line):\(one.column): \(one.severity.rawValue): \(one.message)"
            + (one.remedy.map { " | \($0)" } ?? "")
    }
}
