internal import CRDKafka

extension Client {
    /// How long the library may take before its errors are looked at, in milliseconds.
    private static let firstWait = 2000

    /// Asks the coordinator of the client's group for committed offsets, and fills them into
    /// `list`.
    ///
    /// Where Kafka refuses to name the coordinator, the library asks again until time is up, and
    /// queues the refusal as an error.
    func readCommitted(_ list: borrowing PartitionList, until end: Int) -> rd_kafka_resp_err_t {
        for limit in [min(end, milliseconds() + Self.firstWait), end] {
            let error = askCoordinator(until: limit) { left in
                unsafe rd_kafka_committed(pointer, list.pointer, left)
            }
            guard error == RD_KAFKA_RESP_ERR__TIMED_OUT else { return error }
            if isRefusedGroup { return RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED }
        }
        return RD_KAFKA_RESP_ERR__TIMED_OUT
    }

    /// True if Kafka has said that the user has no right on the group; takes what is queued.
    private var isRefusedGroup: Bool {
        while let message = unsafe rd_kafka_consumer_poll(pointer, 0) {
            defer { unsafe rd_kafka_message_destroy(message) }
            if unsafe message.pointee.err == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED {
                return true
            }
        }
        return false
    }
}
