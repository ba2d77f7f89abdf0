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
        let error = askCoordinator(until: end) { left in
            unsafe rd_kafka_committed(client.pointer, list.pointer, left)
        }
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

/// Makes a request to the coordinator of a group; repeats it until there is one, or time is up.
/// `request` receives the milliseconds that are left.
func askCoordinator(
    until end: Int, _ request: (_ left: Int32) -> rd_kafka_resp_err_t
) -> rd_kafka_resp_err_t {
    while true {
        let error = request(Int32(max(1, end - milliseconds())))
        guard error.isFindingCoordinator, milliseconds() < end else { return error }
    }
}

extension rd_kafka_resp_err_t {
    /// True while the cluster has not yet elected a coordinator for the group, as after startup.
    fileprivate var isFindingCoordinator: Bool {
        self == RD_KAFKA_RESP_ERR_NOT_COORDINATOR
            || self == RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE
            || self == RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS
    }
}
