public import Delivery

/// A cluster's metadata and that of some topics.
public struct ClusterDescription: Sendable {
    /// A requested topic.
    public enum Topic: Equatable, Sendable {
        /// The topic exists and has this many partitions.
        case partitions(Int)
        /// The topic does not exist or access is denied: `UNKNOWN_TOPIC_OR_PART`, for example.
        case failed(KafkaFailure)

        /// The number of partitions; 0 when the request failed.
        public var partitionCount: Int {
            if case .partitions(let count) = self { count } else { 0 }
        }
    }

    /// The cluster ID; nil when the cluster has none.
    public var clusterID: String?
    /// Every requested topic, by name, and those that match a pattern.
    public var topics: [String: Topic]
    /// The topics that match a pattern and were not requested by name, in alphabetical order.
    public var matching: [String] = []

    /// The settings of the topics that exist, by name.
    public var settings: [String: TopicSettings] = [:]
    /// Why settings could not be read; nil when all were.
    public var settingsFailure: KafkaFailure?

    /// The fastest response of a broker; nil when no topic was requested.
    public var responseTime: Duration?

    /// Describes a cluster.
    public init(clusterID: String?, topics: [String: Topic]) {
        self.clusterID = clusterID
        self.topics = topics
    }

    mutating func add(
        _ found: [String: Client.FoundTopic], matching patterns: [TopicPattern],
        without names: [String]
    ) {
        let selection = TopicSelection(names + patterns.map(\.text))
        matching = selection.matching(found.keys)
        for topic in matching { topics[topic] = found[topic].map { .partitions($0.partitions) } }
    }

    /// How records to a topic that was requested are best produced.
    public func batching(to topic: String) -> Batching {
        Batching(
            responseTime: responseTime ?? .zero, partitions: topics[topic]?.partitionCount ?? 0)
    }
}
