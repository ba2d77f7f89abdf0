/// The settings of a topic that matter for outcomes.
public struct TopicSettings: Equatable, Sendable {
    /// The replication factor; the lowest of all partitions.
    public var replicas: Int
    /// How many replicas must have a record before it counts as stored: `min.insync.replicas`.
    public var minInSyncReplicas: Int
    /// True when a later record replaces an earlier one with the same key.
    public var isCompacted: Bool
    /// How long records are kept, in milliseconds; nil when time removes none.
    public var retention: Int64?

    /// Creates a description of a topic's settings.
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
