public import Delivery

/// A group's committed offset for one partition.
public struct CommittedOffset: Equatable, Sendable {
    /// The partition.
    public var topicPartition: TopicPartition
    /// The offset of the next record to read; nil when nothing was committed.
    public var next: Int64?
    /// The metadata string committed with it.
    public var metadata: String

    /// Describes a committed offset.
    public init(topicPartition: TopicPartition, next: Int64?, metadata: String) {
        self.topicPartition = topicPartition
        self.next = next
        self.metadata = metadata
    }
}
