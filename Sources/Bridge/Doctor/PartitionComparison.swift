internal import Configuration
internal import Kafka
internal import Spelling

/// Compares the partitions of a connector's topics with each other and with its workers.
struct PartitionComparison {
    private let connector: Connector
    private let sources: [String]
    private let counts: [String: Int]

    init(_ connector: Connector, _ found: ClusterDescription) {
        self.connector = connector
        sources = found.sources(of: connector)
        // A topic that is being deleted has none.
        counts = found.topics.compactMapValues(\.partitionCount).filter { $0.value > 0 }
    }

    /// What to change; nothing about topics that do not exist.
    var findings: [Diagnostic] { [outcomes, retry, workers].compactMap { $0 } }

    /// The topics to compare whose partitions are not known: they do not exist, or may not be seen.
    var unknown: [String] {
        let results = [connector.results.outcomes, connector.results.retry].compactMap { $0 }
        return (sources + results).filter { counts[$0] == nil }
    }

    /// That everything fits; nil when a topic is unknown, or nothing is read for now.
    var summary: String? {
        guard unknown.isEmpty, let total else { return nil }
        let workers = connector.workers
        let retries = connector.results.retry == nil ? "" : " and retries"
        return "outcomes\(retries) have as many as each source;"
            + " \(Plural.counted(workers, "worker")) for \(total)"
    }

    /// The source topic with the most partitions.
    private var widest: (topic: String, count: Int)? {
        sources.compactMap { topic in counts[topic].map { (topic, $0) } }
            .max { $0.1 < $1.1 }
    }

    /// The partitions of all source topics; nil when one is unknown.
    private var total: Int? {
        let known = sources.compactMap { counts[$0] }
        return known.count == sources.count && !known.isEmpty ? known.reduce(0, +) : nil
    }

    private var outcomes: Diagnostic? {
        let topic = connector.results.outcomes
        guard let count = counts[topic], let widest, count < widest.count else { return nil }
        return connector.locations.warning(
            at: "results.outcomes",
            message: "the topic '\(topic)' has \(plural(count)), and '\(widest.topic)' has"
                + " \(widest.count): outcomes go to the partition of their key instead of that of"
                + " their record",
            remedy: command(topic, widest.count))
    }

    private var retry: Diagnostic? {
        guard let topic = connector.results.retry, let count = counts[topic], let widest,
            count < widest.count
        else { return nil }
        return connector.locations.warning(
            at: "results.retry",
            message: "the topic '\(topic)' has \(plural(count)), and '\(widest.topic)' has"
                + " \(widest.count): fewer workers share the retries than share the events",
            remedy: command(topic, widest.count))
    }

    private var workers: Diagnostic? {
        guard let total, connector.workers > total else { return nil }
        let idle = connector.workers - total
        return connector.locations.warning(
            at: "workers",
            message: "\(connector.workers) workers share the \(plural(total)) of the sources:"
                + " \(idle) of them \(idle == 1 ? "gets" : "get") none",
            remedy: "write workers: \(total) or less, or add partitions")
    }

    private func plural(_ count: Int) -> String {
        Plural.counted(count, "partition")
    }

    private func command(_ topic: String, _ count: Int) -> String {
        "add partitions: kafka-topics.sh --bootstrap-server"
            + " \(KafkaProperties(connector.kafka).addresses) --alter --topic \(topic) --partitions"
            + " \(count)"
    }
}
