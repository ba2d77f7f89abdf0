/// One partition of one Kafka topic.
public struct TopicPartition: Hashable, Sendable {
    /// The name of the Kafka topic.
    public var topic: String
    /// The number of the partition, from 0.
    public var partition: Int32

    /// Creates a topic and partition.
    public init(topic: String, partition: Int32) {
        self.topic = topic
        self.partition = partition
    }
}
