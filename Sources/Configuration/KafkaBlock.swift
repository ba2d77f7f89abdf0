internal import Kafka
internal import YAML

/// Reads the `kafka:` block: refused names, unknown names and bad values, without connecting.
struct KafkaBlock {
    let setting: Setting?
    let findings: Findings

    /// The properties; nil when there are none. Every mistake is reported.
    func read() -> [(name: String, value: String)]? {
        guard let setting, case .properties(let properties) = setting.value else { return nil }
        let names = (setting.node.entries ?? []).compactMap(\.key.text)
        if !names.contains("bootstrap.servers") && !names.contains("metadata.broker.list") {
            findings.error(
                setting.key, "'bootstrap.servers' is missing in kafka",
                "write bootstrap.servers: \"localhost:9092\"")
        }
        return properties.map { ($0.name, $0.value) }
    }
}
