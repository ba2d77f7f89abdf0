internal import CRDKafka
public import Delivery

extension TopicReader {
    /// Fetches from the end of every partition of a topic, to learn whether that is allowed.
    ///
    /// Returns the number of partitions. Throws what the broker refused, or a timeout when a
    /// partition did not respond in time, for example because it has no leader.
    public func checkReadAccess(
        to topic: String, timeoutMilliseconds: Int
    ) throws(KafkaFailure) -> Int {
        let operation = "read topic \(topic)"
        let end = milliseconds() + timeoutMilliseconds
        let count = try client.partitionCount(of: topic, until: end, operation)
        let list = PartitionList()
        for partition in 0..<count {
            list.append(
                TopicPartition(topic: topic, partition: Int32(partition)),
                offset: Int64(RD_KAFKA_OFFSET_END))
        }
        let error = unsafe rd_kafka_assign(client.pointer, list.pointer)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaFailure(error, operation) }
        defer { unsafe rd_kafka_assign(client.pointer, nil) }
        var readable: Set<Int32> = []
        while readable.count < count {
            guard milliseconds() < end else {
                throw KafkaFailure(RD_KAFKA_RESP_ERR__TIMED_OUT, operation)
            }
            guard let message = unsafe rd_kafka_consumer_poll(client.pointer, 100) else { continue }
            defer { unsafe rd_kafka_message_destroy(message) }
            switch unsafe message.pointee.err {
            case RD_KAFKA_RESP_ERR_NO_ERROR, RD_KAFKA_RESP_ERR__PARTITION_EOF:
                readable.insert(unsafe message.pointee.partition)
            case let error where isTransient(error): continue
            case let error: throw KafkaFailure(error, operation)
            }
        }
        return count
    }
}
