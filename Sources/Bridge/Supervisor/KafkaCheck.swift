internal import Configuration
internal import Delivery
internal import Kafka

/// Looks, before anything is consumed, whether Kafka is there and has the topics of a connector.
enum KafkaCheck {
    /// What the cluster calls itself; `-` when it does not.
    static func clusterID(
        for connector: Connector, timeoutMilliseconds: Int = 15_000
    ) throws(StartFailure) -> String {
        let properties = KafkaProperties(connector.kafka)
        let results = connector.results
        let topics = [results.outcomes, results.unregistered, results.deadLetter]
        let description: ClusterDescription
        do throws(KafkaFailure) {
            description = try ClusterInspection.describe(
                properties: properties, topics: connector.source.topics + topics,
                timeoutMilliseconds: timeoutMilliseconds)
        } catch {
            throw StartFailure(.unavailable, "\(connector.file): \(error)")
        }
        var problems: [String] = []
        for topic in connector.source.topics + topics {
            guard case .failed(let failure)? = description.topics[topic] else { continue }
            let role = role(of: topic, in: connector)
            problems.append(problem(topic, role, failure, properties))
        }
        if !problems.isEmpty {
            throw StartFailure(
                .configuration,
                problems.map { "\(connector.file): \($0)" }.joined(separator: "\n"))
        }
        return description.clusterID ?? "-"
    }

    private static func role(of topic: String, in connector: Connector) -> String {
        switch topic {
        case connector.results.outcomes: "results.outcomes"
        case connector.results.unregistered: "results.unregistered"
        case connector.results.deadLetter: "results.dead_letter"
        default: "source.topics"
        }
    }

    private static func problem(
        _ topic: String, _ role: String, _ failure: SourceFailure, _ properties: KafkaProperties
    ) -> String {
        guard failure.code == "UNKNOWN_TOPIC_OR_PART" else {
            return "\(role): topic '\(topic)' can not be used: \(failure.detail) (\(failure.code))"
        }
        let addresses = properties["bootstrap.servers"] ?? "localhost:9092"
        let compaction =
            role == "results.unregistered" ? " --config cleanup.policy=compact" : ""
        return "\(role): there is no topic '\(topic)'; make it with\n"
            + "  kafka-topics.sh --bootstrap-server \(addresses) --create --topic \(topic)"
            + " --partitions 8\(compaction)"
    }
}
