internal import CRDKafka
public import Delivery

extension PartitionReader {
    /// How many offsets topics have used since a time, in milliseconds since 1970: there may be
    /// fewer records. Throws if one of them does not exist.
    public func count(
        of topics: [String], since time: Int64, timeoutMilliseconds: Int = 15_000
    ) throws(KafkaFailure) -> Int64 {
        let end = milliseconds() + timeoutMilliseconds
        let logs = try logs(of: topics, timeoutMilliseconds: timeoutMilliseconds)
        let list = PartitionList()
        for log in logs { list.append(log.partition, offset: time) }
        var error = unsafe rd_kafka_offsets_for_times(
            client.pointer, list.pointer, Int32(max(1, end - milliseconds())))
        var starts: [TopicPartition: Int64] = [:]
        list.forEach { found in
            if error == RD_KAFKA_RESP_ERR_NO_ERROR { error = found.error }
            // Without a later record Kafka returns -1.
            if found.offset >= 0 { starts[found.partition] = found.offset }
        }
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
            throw KafkaFailure(error, "read \(topics.joined(separator: ", "))")
        }
        return logs.reduce(0) { $0 + max(0, $1.end - (starts[$1.partition] ?? $1.end)) }
    }
}
