/// An event's position in Kafka; for a record of a retry topic, its original position.
public struct RecordOrigin: Equatable, Sendable {
    /// The partition that it was written to.
    public var topicPartition: TopicPartition
    /// Its offset there.
    public var offset: Int64
    /// When it was written, in milliseconds since 1970; nil when that is not known.
    public var timestamp: Int64?

    /// Creates a position.
    public init(topicPartition: TopicPartition, offset: Int64, timestamp: Int64?) {
        self.topicPartition = topicPartition
        self.offset = offset
        self.timestamp = timestamp
    }

    /// The position of a record itself.
    public init(of record: borrowing Record) {
        self.init(
            topicPartition: record.topicPartition, offset: record.offset,
            timestamp: record.timestamp)
    }
}
