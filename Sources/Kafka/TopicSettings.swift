/// What a cluster does with the records of a topic, as far as it decides about outcomes.
public struct TopicSettings: Equatable, Sendable {
    /// On how many brokers each record is kept; the least of all partitions.
    public var replicas: Int
    /// How many of them must have a record before it counts as stored: `min.insync.replicas`.
    public var minInSyncReplicas: Int
    /// True when a later record replaces an earlier one with the same key.
    public var isCompacted: Bool
    /// How long records are kept, in milliseconds; nil when time removes none.
    public var retention: Int64?

    /// Describes a topic.
    public init(
        replicas: Int = 1, minInSyncReplicas: Int = 1, isCompacted: Bool = false,
        retention: Int64? = nil
    ) {
        self.replicas = replicas
        self.minInSyncReplicas = minInSyncReplicas
        self.isCompacted = isCompacted
        self.retention = retention
    }
}
