internal import CRDKafka
public import Delivery

/// Reads topics without joining a group.
public struct TopicReader: ~Copyable {
    let client: Client

    /// Creates a reader, which connects on its own.
    public init(properties: KafkaProperties) throws(KafkaFailure) {
        let configuration = try ClientConfiguration.observer(properties)
        try configuration.set("group.id", "apns-bridge-reader")
        try configuration.set("enable.partition.eof", "true")
        try configuration.set("fetch.wait.max.ms", "50")
        client = try Client(
            RD_KAFKA_CONSUMER, configuration, "read topics", tokens: properties.tokens)
        unsafe rd_kafka_poll_set_consumer(client.pointer)
    }

    /// Every record of a topic from its beginning to its current end, each partition in order.
    public func readAll(
        _ topic: String, timeoutMilliseconds: Int = 10_000
    ) throws(KafkaFailure) -> [StoredRecord] {
        var records: [StoredRecord] = []
        try read(topic, timeoutMilliseconds: timeoutMilliseconds) { records.append($0) }
        return records
    }

    /// Hands over every record of a topic from its beginning to its current end.
    public func read(
        _ topic: String, timeoutMilliseconds: Int = 10_000, _ body: (StoredRecord) -> Void
    ) throws(KafkaFailure) {
        try unsafe readPartitions(of: topic, from: RD_KAFKA_OFFSET_BEGINNING, timeoutMilliseconds) {
            guard unsafe $0.pointee.err == RD_KAFKA_RESP_ERR_NO_ERROR else { return .done }
            body(unsafe StoredRecord(copying: $0))
            return .more
        }
    }

    /// Whether more is to be read from a partition.
    enum Progress { case more, done }

    /// Reads every partition of a topic from the same offset until `body` is done with each. `body`
    /// receives records and, with the error `_PARTITION_EOF`, the end of each partition.
    ///
    /// Returns the number of partitions.
    @discardableResult
    func readPartitions(
        of topic: String, from offset: Int32, _ timeoutMilliseconds: Int,
        _ body: (UnsafeMutablePointer<rd_kafka_message_t>) -> Progress
    ) throws(KafkaFailure) -> Int {
        let operation = "read topic \(topic)"
        let end = milliseconds() + timeoutMilliseconds
        let count = try client.partitionCount(of: topic, until: end, operation)
        try assign(count, of: topic, from: offset, operation)
        defer { unsafe rd_kafka_assign(client.pointer, nil) }
        var done: Set<Int32> = []
        while done.count < count {
            guard milliseconds() < end else {
                throw KafkaFailure(RD_KAFKA_RESP_ERR__TIMED_OUT, operation)
            }
            guard let message = unsafe rd_kafka_consumer_poll(client.pointer, 100) else { continue }
            defer { unsafe rd_kafka_message_destroy(message) }
            switch unsafe message.pointee.err {
            case RD_KAFKA_RESP_ERR_NO_ERROR, RD_KAFKA_RESP_ERR__PARTITION_EOF:
                guard unsafe body(message) == .done else { continue }
                done.insert(unsafe message.pointee.partition)
            case let error where error.concernsNoReader: continue
            case let error: throw KafkaFailure(error, operation)
            }
        }
        return count
    }

    private func assign(
        _ count: Int, of topic: String, from offset: Int32, _ operation: String
    ) throws(KafkaFailure) {
        let list = PartitionList()
        for partition in 0..<count {
            list.append(
                TopicPartition(topic: topic, partition: Int32(partition)), offset: Int64(offset))
        }
        let error = unsafe rd_kafka_assign(client.pointer, list.pointer)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaFailure(error, operation) }
    }
}

extension rd_kafka_resp_err_t {
    /// True for what does not concern a reader with a fixed assignment: a broker that is away for
    /// a while, and the group whose name it needs. The library looks for the coordinator of that
    /// group, which Kafka shows nobody without a right on it.
    var concernsNoReader: Bool {
        self == RD_KAFKA_RESP_ERR__TRANSPORT || self == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN
            || self == RD_KAFKA_RESP_ERR__RESOLVE
            || self == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED
    }
}

extension Client {
    /// The number of partitions of a topic.
    func partitionCount(
        of topic: String, until end: Int, _ operation: String
    ) throws(KafkaFailure) -> Int {
        guard let handle = unsafe rd_kafka_topic_new(pointer, topic, nil) else {
            throw KafkaFailure(rd_kafka_last_error(), operation)
        }
        defer { unsafe rd_kafka_topic_destroy(handle) }
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let error = unsafe rd_kafka_metadata(
            pointer, 0, handle, &metadata, Int32(max(1, end - milliseconds())))
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata = unsafe metadata else {
            throw KafkaFailure(error, operation)
        }
        defer { unsafe rd_kafka_metadata_destroy(metadata) }
        for index in unsafe 0..<Int(metadata.pointee.topic_cnt) {
            let found = unsafe metadata.pointee.topics[index]
            guard unsafe String(cString: found.topic) == topic else { continue }
            guard unsafe found.err == RD_KAFKA_RESP_ERR_NO_ERROR else {
                throw KafkaFailure(unsafe found.err, operation)
            }
            return unsafe Int(found.partition_cnt)
        }
        throw KafkaFailure(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, operation)
    }
}
