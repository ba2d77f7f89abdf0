internal import CRDKafka
public import Delivery

/// Reads and commits the offsets of a group that has no members.
public struct GroupOffsets: ~Copyable {
    private let client: Client
    private let group: String

    /// Creates a client, which connects on its own.
    public init(properties: KafkaProperties, group: String) throws(KafkaFailure) {
        let configuration = try ClientConfiguration.observer(properties)
        try configuration.set("group.id", group)
        client = try Client(
            RD_KAFKA_CONSUMER, configuration, "use the offsets of group \(group)",
            tokens: properties.tokens)
        self.group = group
    }

    /// The offsets that the group has committed for these partitions, in the given order.
    public func read(
        _ partitions: [TopicPartition], timeoutMilliseconds: Int = 10_000
    ) throws(KafkaFailure) -> [CommittedOffset] {
        let operation = "read what group \(group) has committed"
        let list = PartitionList(partitions)
        let error = client.readCommitted(list, until: milliseconds() + timeoutMilliseconds)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaFailure(error, operation) }
        var failure: rd_kafka_resp_err_t?
        var result: [CommittedOffset] = []
        list.forEach { element in
            if element.error != RD_KAFKA_RESP_ERR_NO_ERROR { failure = element.error }
            result.append(
                CommittedOffset(
                    topicPartition: element.partition,
                    next: element.offset < 0 ? nil : element.offset, metadata: element.metadata))
        }
        if let failure { throw KafkaFailure(failure, operation) }
        return result
    }

    /// How long Kafka keeps the offsets of a group without members after a commit, in milliseconds;
    /// nil when it does not say, as without the right to describe the cluster's settings.
    public func retention(timeoutMilliseconds: Int = 2000) -> Int64? {
        let settings = client.brokerSettings(milliseconds: timeoutMilliseconds)
        return settings?["offsets.retention.minutes"].flatMap { Int32($0) }
            .map { Int64($0) * 60_000 }
    }

    /// Commits offsets with their metadata, and waits until Kafka confirms it.
    public func commit(
        _ offsets: [CommittedOffset], timeoutMilliseconds: Int = 15_000
    ) throws(KafkaFailure) {
        let list = PartitionList()
        for offset in offsets {
            list.append(offset.topicPartition, offset: offset.next, metadata: offset.metadata)
        }
        guard list.count > 0 else { return }
        let error = askCoordinator(until: milliseconds() + timeoutMilliseconds) { _ in
            unsafe rd_kafka_commit(client.pointer, list.pointer, 0)
        }
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
            throw KafkaFailure(error, "commit for group \(group)")
        }
    }
}
