internal import CRDKafka
public import Delivery

/// Writes records for demonstrations and tests, where its caller chooses partition and timestamp.
@safe public struct RecordWriter: ~Copyable {
    let client: Client
    private let queue: OpaquePointer
    private let topics: TopicHandles

    /// Creates a writer, which connects on its own. With a transactional ID it writes in
    /// transactions: see ``begin()``.
    public init(
        properties: KafkaProperties, transactionalID: String? = nil
    ) throws(KafkaFailure) {
        let configuration = try ClientConfiguration.producer(properties)
        if let transactionalID { try configuration.set("transactional.id", transactionalID) }
        unsafe rd_kafka_conf_set_events(
            configuration.pointer, RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR)
        client = try Client(
            RD_KAFKA_PRODUCER, configuration, "make a producer", tokens: properties.tokens)
        topics = TopicHandles(client: client)
        unsafe queue = rd_kafka_queue_get_main(client.pointer)
    }

    deinit { unsafe rd_kafka_queue_destroy(queue) }

    /// Hands over a record; blocks while the queue is full, and gives up when `isWanted` is false
    /// then. ``flush(timeoutMilliseconds:while:)`` throws if it could not be stored.
    ///
    /// Without a partition, the key determines it; without a timestamp, the current time is used.
    public mutating func write(
        _ topic: String, key: [UInt8]? = nil, value: [UInt8]?,
        headers: [ResultRecord.Header] = [], partition: Int32? = nil, timestamp: Int64? = nil,
        while isWanted: () -> Bool = { true }
    ) throws(KafkaFailure) {
        while let failure = attempt(topic, key, value, headers, partition, timestamp) {
            guard failure.code == errorName(RD_KAFKA_RESP_ERR__QUEUE_FULL) else { throw failure }
            guard isWanted() else { return }
            try serve(milliseconds: 100)
        }
    }

    /// Waits until everything handed over is stored, or `isWanted` is false; throws the first
    /// failure.
    public mutating func flush(
        timeoutMilliseconds: Int = 10_000, while isWanted: () -> Bool = { true }
    ) throws(KafkaFailure) {
        let end = milliseconds() + timeoutMilliseconds
        while unsafe rd_kafka_outq_len(client.pointer) > 0, isWanted() {
            try serve(milliseconds: 100)
            if milliseconds() > end {
                throw KafkaFailure(RD_KAFKA_RESP_ERR__TIMED_OUT, "write records")
            }
        }
    }

    private func attempt(
        _ topic: String, _ key: [UInt8]?, _ value: [UInt8]?, _ headers: [ResultRecord.Header],
        _ partition: Int32?, _ timestamp: Int64?
    ) -> KafkaFailure? {
        let operation = "write to topic \(topic)"
        guard let handle = unsafe topics.handle(of: topic) else {
            return KafkaFailure(rd_kafka_last_error(), operation)
        }
        let list = unsafe makeHeaders(headers)
        let error = withBorrowedBytes(key) { key in
            withBorrowedBytes(value) { value in
                unsafe client.produce(
                    OutgoingRecord(
                        topic: handle, partition: partition, key: key, value: value,
                        headers: list, timestamp: timestamp, opaque: nil))
            }
        }
        if error == RD_KAFKA_RESP_ERR_NO_ERROR { return nil }
        if let list = unsafe list { unsafe rd_kafka_headers_destroy(list) }
        return KafkaFailure(error, operation)
    }

    /// Waits for delivery reports.
    private func serve(milliseconds: Int32) throws(KafkaFailure) {
        guard let event = unsafe rd_kafka_queue_poll(queue, milliseconds) else { return }
        defer { unsafe rd_kafka_event_destroy(event) }
        guard unsafe rd_kafka_event_type(event) == RD_KAFKA_EVENT_DR else { return }
        while let message = unsafe rd_kafka_event_message_next(event) {
            let error = unsafe message.pointee.err
            guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
                throw KafkaFailure(error, "write a record")
            }
        }
    }
}
