public import Delivery

/// What a group has committed for one partition.
public struct CommittedOffset: Equatable, Sendable {
    /// Which partition it is.
    public var topicPartition: TopicPartition
    /// The offset of the next record to read; nil when nothing was committed.
    public var next: Int64?
    /// The text that was committed with it.
    public var metadata: String

    /// Describes a committed offset.
    public init(topicPartition: TopicPartition, next: Int64?, metadata: String) {
        self.topicPartition = topicPartition
        self.next = next
        self.metadata = metadata
    }
}
