internal import CRDKafka
public import Delivery

/// Reads a group's committed offsets without joining it.
public enum CommittedOffsets {
    /// The offsets that `group` has committed for these partitions, in the given order.
    public static func read(
        properties: KafkaProperties, group: String, partitions: [TopicPartition],
        timeoutMilliseconds: Int = 10_000
    ) throws(KafkaFailure) -> [CommittedOffset] {
        let operation = "read what group \(group) has committed"
        let configuration = try ClientConfiguration.observer(properties)
        try configuration.set("group.id", group)
        let client = try Client(RD_KAFKA_CONSUMER, configuration, operation)
        let list = PartitionList(partitions)
        let end = milliseconds() + timeoutMilliseconds
        var error = RD_KAFKA_RESP_ERR_NO_ERROR
        repeat {
            let left = max(1, end - milliseconds())
            error = unsafe rd_kafka_committed(client.pointer, list.pointer, Int32(left))
        } while error.isFindingCoordinator && milliseconds() < end
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
}

extension rd_kafka_resp_err_t {
    /// True while the cluster has not yet elected a coordinator for the group, as after startup.
    var isFindingCoordinator: Bool {
        self == RD_KAFKA_RESP_ERR_NOT_COORDINATOR
            || self == RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE
            || self == RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS
    }
}
