internal import CRDKafka
public import Delivery

extension PartitionReader {
    /// How many offsets topics have used since a time, in milliseconds since 1970: there may be
    /// fewer records. Topics that do not exist count as empty.
    public func count(
        of topics: [String], since time: Int64, timeoutMilliseconds: Int = 15_000
    ) throws(KafkaFailure) -> Int64 {
        let end = milliseconds() + timeoutMilliseconds
        var count: Int64 = 0
        for log in try logs(of: topics, timeoutMilliseconds: timeoutMilliseconds)
        where log.start < log.end {
            let list = PartitionList()
            list.append(log.partition, offset: time)
            let error = unsafe rd_kafka_offsets_for_times(
                client.pointer, list.pointer, Int32(max(1, end - milliseconds())))
            guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
                throw KafkaFailure(error, "read \(log.partition.topic)")
            }
            // Without a later record Kafka returns -1.
            list.forEach { if $0.offset >= 0 { count += max(0, log.end - $0.offset) } }
        }
        return count
    }
}
