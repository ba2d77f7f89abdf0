internal import CRDKafka
internal import Delivery

/// Resends, one by one, records that a broker rejected together as too large.
///
/// A broker rejects a batch as a whole, and the library reports each of its records as too large,
/// although most of them are not. This client sends batches of one record. It is slow and has its
/// own threads, so it is created only when it is needed.
@safe final class SingleRecordProducer {
    private let client: Client
    private let queue: OpaquePointer
    private let topics: TopicHandles
    private var hasStored = false

    init(properties: KafkaProperties, signal: EventDescriptor) throws(KafkaFailure) {
        let configuration = try ClientConfiguration.producer(properties)
        try configuration.set("batch.num.messages", "1")
        try configuration.set("linger.ms", "0")
        unsafe rd_kafka_conf_set_events(
            configuration.pointer, RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR)
        client = try Client(
            RD_KAFKA_PRODUCER, configuration, "make a producer", tokens: properties.tokens)
        topics = TopicHandles(client: client)
        unsafe queue = rd_kafka_queue_get_main(client.pointer)
        var one: UInt64 = 1
        unsafe rd_kafka_queue_io_event_enable(queue, signal.number, &one, 8)
    }

    deinit {
        unsafe rd_kafka_purge(
            client.pointer,
            RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING)
        unsafe rd_kafka_queue_io_event_enable(queue, -1, nil, 0)
        unsafe rd_kafka_queue_destroy(queue)
    }

    /// Copies a rejected record and resends it with its ticket; returns the reason if that fails.
    func offer(_ message: UnsafeMutablePointer<rd_kafka_message_t>) -> KafkaFailure? {
        let name = unsafe String(cString: rd_kafka_topic_name(message.pointee.rkt))
        guard let topic = unsafe topics.handle(of: name) else {
            return client.failure(rd_kafka_last_error(), "topic \(name)")
        }
        var headers: OpaquePointer?
        unsafe rd_kafka_message_headers(message, &headers)
        let copy = unsafe headers.map { unsafe rd_kafka_headers_copy($0) }
        let error = unsafe client.produce(
            OutgoingRecord(
                topic: topic, partition: message.pointee.partition,
                key: BorrowedBytes(message.pointee.keyBytes),
                value: BorrowedBytes(message.pointee.valueBytes), headers: copy ?? nil,
                opaque: message.pointee._private))
        if error == RD_KAFKA_RESP_ERR_NO_ERROR { return nil }
        if let copy = unsafe copy ?? nil { unsafe rd_kafka_headers_destroy(copy) }
        return client.failure(error)
    }

    /// Reports every finished record, and collects other errors.
    func acknowledgements(
        _ failures: inout [KafkaFailure], _ body: (_ ticket: UInt64, Acknowledgement) -> Void
    ) {
        while let event = unsafe rd_kafka_queue_poll(queue, 0) {
            defer { unsafe rd_kafka_event_destroy(event) }
            guard unsafe rd_kafka_event_type(event) == RD_KAFKA_EVENT_DR else {
                failures.note(unsafe client.failure(reporting: event))
                continue
            }
            while let message = unsafe rd_kafka_event_message_next(event) {
                let end = client.acknowledgement(unsafe message.pointee.err)
                if end == .stored { unsafe warn(message, &failures) }
                body(unsafe UInt64(UInt(bitPattern: message.pointee._private)), end)
            }
        }
    }

    /// Warns once that whole batches are rejected: nothing is lost, but it is slow.
    private func warn(
        _ message: UnsafePointer<rd_kafka_message_t>, _ failures: inout [KafkaFailure]
    ) {
        guard !hasStored else { return }
        hasStored = true
        let topic = unsafe String(cString: rd_kafka_topic_name(message.pointee.rkt))
        failures.note(
            KafkaFailure(
                RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE,
                detail: "topic \(topic) rejects batches as too large; sending their records"
                    + " one by one, which is slow: raise max.message.bytes of the topic, or set"
                    + " batch.size under 'kafka' to a lower value"))
    }

    func nextLog() -> KafkaLog? { client.nextLog() }

    func flush() { _ = unsafe rd_kafka_flush(client.pointer, 0) }
}

extension Client {
    /// The result of a record that was handed to this client.
    func acknowledgement(_ error: rd_kafka_resp_err_t) -> Acknowledgement {
        switch error {
        case RD_KAFKA_RESP_ERR_NO_ERROR: .stored
        case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE:
            .tooLarge
        default: .failed(failure(error))
        }
    }

    /// The failure that an event of the library reports.
    func failure(reporting event: OpaquePointer) -> KafkaFailure {
        let reason = unsafe String(cString: rd_kafka_event_error_string(event))
        return failure(unsafe rd_kafka_event_error(event), reason)
    }
}
