internal import CRDKafka
public import Delivery

extension TopicReader {
    /// The record at a partition and offset.
    ///
    /// Throws `OFFSET_OUT_OF_RANGE` when the partition does not have the offset, and `_NO_OFFSET`
    /// when the offset lies within the log but has no record; both errors say what is there.
    public func record(
        in partition: TopicPartition, offset: Int64, timeoutMilliseconds: Int = 10_000
    ) throws(KafkaFailure) -> StoredRecord {
        let operation = "read \(partition.topic)/\(partition.partition) at offset \(offset)"
        let end = milliseconds() + timeoutMilliseconds
        try checkRange(of: partition, offset, end, operation)
        let list = PartitionList()
        list.append(partition, offset: offset)
        let error = unsafe rd_kafka_assign(client.pointer, list.pointer)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaFailure(error, operation) }
        defer { unsafe rd_kafka_assign(client.pointer, nil) }
        while milliseconds() < end {
            guard let message = unsafe rd_kafka_consumer_poll(client.pointer, 100) else { continue }
            defer { unsafe rd_kafka_message_destroy(message) }
            switch unsafe message.pointee.err {
            case RD_KAFKA_RESP_ERR_NO_ERROR:
                let found = unsafe StoredRecord(copying: message)
                if found.offset == offset { return found }
                throw noRecord(operation, "the next record is at \(found.offset)")
            case RD_KAFKA_RESP_ERR__PARTITION_EOF:
                throw noRecord(operation, "no record follows")
            case let error where error.concernsNoReader: continue
            case let error: throw KafkaFailure(error, operation)
            }
        }
        throw KafkaFailure(RD_KAFKA_RESP_ERR__TIMED_OUT, operation)
    }

    private func checkRange(
        of partition: TopicPartition, _ offset: Int64, _ end: Int, _ operation: String
    ) throws(KafkaFailure) {
        var low: Int64 = 0
        var high: Int64 = 0
        let error = unsafe rd_kafka_query_watermark_offsets(
            client.pointer, partition.topic, partition.partition, &low, &high,
            Int32(max(1, end - milliseconds())))
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaFailure(error, operation) }
        guard offset < low || offset >= high else { return }
        let reason =
            low == high
            ? "the partition is empty; the next record gets offset \(high)"
            : "the partition holds offsets \(low) to \(high - 1)"
        throw KafkaFailure(RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE, operation, detail: reason)
    }

    private func noRecord(_ operation: String, _ reason: String) -> KafkaFailure {
        KafkaFailure(
            RD_KAFKA_RESP_ERR__NO_OFFSET, operation,
            detail: "no record there: it was compacted away, or is a transaction marker; \(reason)")
    }
}
