public import Delivery

/// What a cluster says about itself and about some topics.
public struct ClusterDescription: Sendable {
    /// A topic that was asked for.
    public enum Topic: Equatable, Sendable {
        /// It is there and has so many partitions.
        case partitions(Int)
        /// It is not there, or must not be seen: `UNKNOWN_TOPIC_OR_PART`, for example.
        case failed(KafkaFailure)

        /// How many partitions it has; 0 when it failed.
        public var partitionCount: Int {
            if case .partitions(let count) = self { count } else { 0 }
        }
    }

    /// The name that the cluster gave itself; nil when it has none.
    public var clusterID: String?
    /// Every topic that was asked for, by name.
    public var topics: [String: Topic]

    /// The settings of those of them that are there, by name.
    public var settings: [String: TopicSettings] = [:]
    /// Why settings were not told; nil when all were.
    public var settingsFailure: KafkaFailure?

    /// Describes a cluster.
    public init(clusterID: String?, topics: [String: Topic]) {
        self.clusterID = clusterID
        self.topics = topics
    }
}
