public import Configuration
internal import Kafka

/// Checks the topics that connectors read, and nothing else.
public enum SourceCheck {
    /// The cluster ID of each connector; throws everything that is wrong with any of them.
    public static func look(for connectors: [Connector]) throws(StartFailure) -> [String] {
        let found = try KafkaCheck.describe(connectors) { $0.hasPrefix("source.topics.") }
        var problems: [Diagnostic] = []
        for (connector, description) in zip(connectors, found) {
            problems += KafkaCheck.topics(of: connector)
                .filter { $0.setting.hasPrefix("source.topics.") }
                .compactMap { KafkaCheck.problem(of: connector, $0, description) }
        }
        guard problems.isEmpty else { throw StartFailure(.configuration, problems) }
        return found.map { $0.clusterID ?? "-" }
    }
}
