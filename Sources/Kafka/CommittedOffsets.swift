internal import CRDKafka
public import Delivery

/// Reads a group's committed offsets without joining it.
public enum CommittedOffsets {
    /// The offsets that `group` has committed for these partitions, in the given order.
    public static func read(
        properties: KafkaProperties, group: String, partitions: [TopicPartition],
        timeoutMilliseconds: Int = 10_000
    ) throws(KafkaFailure) -> [CommittedOffset] {
        try GroupOffsets(properties: properties, group: group)
            .read(partitions, timeoutMilliseconds: timeoutMilliseconds)
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
