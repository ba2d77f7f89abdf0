internal import CRDKafka
internal import Delivery
internal import Synchronization

/// Where logs begin and end, and whether they are still the same logs.
extension ConsumerHelper {
    /// Asks the leader for the beginning and end of a log.
    func watermarks(
        of partition: TopicPartition, milliseconds: Int32
    ) -> (low: Int64, high: Int64, error: rd_kafka_resp_err_t) {
        var low: Int64 = 0
        var high: Int64 = 0
        let error = unsafe rd_kafka_query_watermark_offsets(
            client.pointer, partition.topic, partition.partition, &low, &high, milliseconds)
        if error == RD_KAFKA_RESP_ERR_NO_ERROR { noteEnd(of: partition, high) }
        return (low, high, error)
    }

    /// Checks the log ends received with the last records, and asks the leader where one moved
    /// back.
    ///
    /// An end received with records may move back briefly when the leader changes; an end that the
    /// leader returns on request never does.
    /// Source: KIP-207, *Offsets returned by ListOffsetsResponse should be monotonically
    /// increasing even during a partition leader change*.
    func checkEnds(of partitions: [TopicPartition]) {
        for partition in partitions where !isStopping {
            var low: Int64 = 0
            var high: Int64 = 0
            let error = unsafe rd_kafka_get_watermark_offsets(
                client.pointer, partition.topic, partition.partition, &low, &high)
            guard error == RD_KAFKA_RESP_ERR_NO_ERROR, high >= 0,
                let highest = state.withLock({ $0.highest[partition] }), high < highest
            else { continue }
            _ = watermarks(of: partition, milliseconds: 500)
        }
    }

    func noteEnd(of partition: TopicPartition, _ high: Int64) {
        let isReplaced = state.withLock { state in
            if let highest = state.highest[partition], high < highest {
                return state.replaced.insert(partition).inserted
            }
            state.highest[partition] = high
            return false
        }
        if isReplaced { owner.signal() }
    }

    /// Checks whether a log still has the next offset to read.
    func notePosition(of partition: TopicPartition, low: Int64, high: Int64) {
        let isGone = state.withLock { state in
            guard let next = state.positions[partition], next < low || next > high else {
                return false
            }
            return state.replaced.insert(partition).inserted
        }
        if isGone { owner.signal() }
    }

    /// Discards the recorded end of a log that was replaced.
    func forgetEnd(of partition: TopicPartition, nowAt high: Int64) {
        state.withLock { state in
            state.highest[partition] = high
            state.replaced.remove(partition)
        }
    }
}
