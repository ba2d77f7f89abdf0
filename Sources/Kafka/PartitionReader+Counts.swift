internal import CRDKafka
public import Delivery

extension PartitionReader {
    /// How many offsets topics have used since a time, in milliseconds since 1970: there may be
    /// fewer records. Throws if one of them does not exist.
    public func count(
        of topics: [String], since time: Int64, timeoutMilliseconds: Int = 15_000
    ) throws(KafkaFailure) -> Int64 {
        try spans(of: topics, since: time, timeoutMilliseconds: timeoutMilliseconds)
            .offsetCount
    }

    /// What the partitions of topics hold since a time, in milliseconds since 1970. Throws if one
    /// of the topics does not exist.
    public func spans(
        of topics: [String], since time: Int64, timeoutMilliseconds: Int = 15_000
    ) throws(KafkaFailure) -> [Span] {
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
        return logs.map { log in
            let start = min(starts[log.partition] ?? log.end, log.end)
            return Span(partition: log.partition, start: start, end: log.end)
        }
    }

    /// Hands over the newest records of spans, about `limit` in all; true if those are all records
    /// of the spans. What cannot be read in time is left out.
    ///
    /// With a client of its own: librdkafka 2.0 aborts when a partition is assigned once more while
    /// it is being started.
    public static func readNewest(
        _ limit: Int, of spans: [Span], properties: KafkaProperties, timeoutMilliseconds: Int,
        _ body: (StoredRecord) -> Void
    ) throws(KafkaFailure) -> Bool {
        let end = milliseconds() + timeoutMilliseconds
        let filled = spans.filter { $0.start < $0.end }
        let share = Int64(max(1, limit / max(1, filled.count)))
        let newest = filled.map { span in
            Span(
                partition: span.partition, start: max(span.start, span.end - share), end: span.end)
        }
        var reader = try PartitionReader(properties: properties)
        try reader.begin(newest)
        while try reader.read(atMost: 100, { body($1) }) {
            guard milliseconds() < end else { return false }
        }
        return newest == filled
    }
}

extension Sequence where Element == PartitionReader.Span {
    /// How many offsets they have in all: there may be fewer records.
    public var offsetCount: Int64 { reduce(0) { $0 + $1.end - $1.start } }
}
