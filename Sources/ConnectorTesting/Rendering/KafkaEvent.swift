public import Delivery
public import Kafka

/// A record of a connector's Kafka cluster, fetched without joining the connector's group.
public struct KafkaEvent: Sendable {
    /// Why no record can be shown.
    public struct Failure: Error, Sendable {
        /// True when Kafka responded, but the topic, partition or record does not exist.
        public var isMissing: Bool
        /// What is wrong, for display.
        public var detail: String
    }

    /// The topic that it was read from.
    public var topic: String
    /// The record.
    public var stored: StoredRecord
    /// The cluster ID; `-` when there is none.
    public var clusterID: String

    /// Reads a record with the properties under `kafka`.
    public static func read(
        _ partition: TopicPartition, offset: Int64, properties: KafkaProperties,
        timeoutMilliseconds: Int = 15_000
    ) throws(Failure) -> KafkaEvent {
        do throws(KafkaFailure) {
            let cluster = try ClusterInspection.describe(
                properties: properties, topics: [partition.topic],
                timeoutMilliseconds: timeoutMilliseconds)
            try check(partition, in: cluster)
            let reader = try TopicReader(properties: properties)
            let stored = try reader.record(
                in: partition, offset: offset, timeoutMilliseconds: timeoutMilliseconds)
            return KafkaEvent(
                topic: partition.topic, stored: stored, clusterID: cluster.clusterID ?? "-")
        } catch {
            let missing: Set = [
                "UNKNOWN_TOPIC_OR_PART", "_UNKNOWN_PARTITION", "OFFSET_OUT_OF_RANGE", "_NO_OFFSET",
            ]
            throw Failure(
                isMissing: missing.contains(error.code),
                detail: error.message)
        }
    }

    private static func check(
        _ partition: TopicPartition, in cluster: ClusterDescription
    ) throws(KafkaFailure) {
        let operation = "read \(partition.topic)/\(partition.partition)"
        switch cluster.topics[partition.topic] {
        case nil: return
        case .failed(let failure):
            throw KafkaFailure(code: failure.code, operation: operation, detail: failure.detail)
        case .partitions(let count) where partition.partition >= count:
            throw KafkaFailure(
                code: "_UNKNOWN_PARTITION", operation: operation,
                detail: "the topic has the partitions 0 to \(count - 1)")
        case .partitions: return
        }
    }

    /// The record in the form a worker takes it.
    public func makeRecord() -> Record {
        Record.owning(
            assignment: AssignmentID(1),
            topicPartition: TopicPartition(topic: topic, partition: stored.partition),
            offset: stored.offset, timestamp: stored.timestamp, key: stored.key,
            value: stored.value, headers: stored.headers)
    }
}
