internal import CRDKafka
public import Delivery

/// One idempotent librdkafka producer, driven by its owner.
///
/// A record counts as stored only when all in-sync replicas have it. Everything is copied
/// immediately; nothing here blocks.
@safe public struct Producer: ResultSink, ~Copyable {
    /// Readable when there may be acknowledgements: watch it, then ask for them.
    public var descriptor: Int32 { signal.number }
    /// False when the descriptor is watched edge-triggered, as `LinuxKernel` does: each signal
    /// then wakes the owner whether earlier ones were cleared or not, for one system call less.
    public var clearsDescriptor = true

    let client: Client
    let queue: OpaquePointer
    private let signal: EventDescriptor
    private let properties: KafkaProperties
    private var alone: SingleRecordProducer?
    private var topics: TopicHandles?
    private let counts: PartitionCounts
    private var failures: [KafkaFailure] = []
    private var isClosed = false
    /// The last time that a broker gave to a record of a topic with LogAppendTime.
    public private(set) var brokerTime: BrokerTime?

    /// Creates a producer, which connects on its own. Properties that the user set win over
    /// `batching`. To count their partitions never creates one of the topics that match a pattern
    /// of `sources`.
    public init(
        properties: KafkaProperties, batching: Batching = .oneRequest,
        sources: TopicSelection = []
    ) throws(KafkaFailure) {
        let configuration = try ClientConfiguration.producer(properties, batching: batching)
        unsafe rd_kafka_conf_set_events(
            configuration.pointer, RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR)
        let signal = try EventDescriptor("make a producer")
        let client = try Client(
            RD_KAFKA_PRODUCER, configuration, "make a producer", tokens: properties.tokens)
        counts = try PartitionCounts(client: client, owner: signal, topics: sources)
        self.signal = signal
        self.client = client
        self.properties = properties
        self.topics = TopicHandles(client: client)
        unsafe queue = rd_kafka_queue_get_main(client.pointer)
        var one: UInt64 = 1
        unsafe rd_kafka_queue_io_event_enable(queue, signal.number, &one, 8)
    }

    deinit { release() }

    private func release() {
        guard !isClosed else { return }
        counts.stop()
        unsafe rd_kafka_queue_io_event_enable(queue, -1, nil, 0)
        unsafe rd_kafka_queue_destroy(queue)
    }

    /// Hands over a record; its result is reported with `ticket`.
    public mutating func publish(
        _ record: borrowing ResultRecord, ticket: UInt64
    ) -> PublishResult {
        let (partition, headers) = (record.partition, unsafe makeHeaders(record.headers))
        let topic = record.topic
        return withBorrowedBytes(record.key) { key in
            withBorrowedBytes(record.value) { value in
                unsafe publish(topic, partition, key, value, headers, ticket)
            }
        }
    }

    private func publish(
        _ topic: String, _ partition: Int32?, _ key: BorrowedBytes, _ value: BorrowedBytes,
        _ headers: OpaquePointer?, _ ticket: UInt64
    ) -> PublishResult {
        guard let handle = unsafe topics?.handle(of: topic) else {
            if let headers = unsafe headers { unsafe rd_kafka_headers_destroy(headers) }
            return .failed(client.failure(rd_kafka_last_error(), "topic \(topic)"))
        }
        var record = unsafe OutgoingRecord(
            topic: handle, partition: partition, key: key, value: value, headers: headers,
            opaque: UnsafeMutableRawPointer(bitPattern: UInt(ticket)))
        var error = client.produce(record)
        if error == RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION, partition != nil {
            // The topic has fewer partitions than the recorded count.
            counts.forget(topic)
            record.partition = nil
            error = client.produce(record)
        }
        if error == RD_KAFKA_RESP_ERR_NO_ERROR { return .queued }
        if let headers = unsafe headers { unsafe rd_kafka_headers_destroy(headers) }
        return refusal(error)
    }

    /// The result of a record that the library did not accept.
    private func refusal(_ error: rd_kafka_resp_err_t) -> PublishResult {
        switch error {
        case RD_KAFKA_RESP_ERR__QUEUE_FULL:
            // If an empty queue has no room for it, it never will.
            return unsafe rd_kafka_outq_len(client.pointer) == 0 ? .tooLarge : .full
        case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
            return .tooLarge
        default:
            return .failed(client.failure(error))
        }
    }

    /// The number of partitions of a topic; nil until a broker has returned it.
    public mutating func partitionCount(of topic: String) -> Int? { counts.count(of: topic) }

    /// How many records wait to be sent, acknowledged, or reported as such.
    public var queuedRecords: Int {
        isClosed ? 0 : unsafe Int(rd_kafka_outq_len(client.pointer))
    }

    /// Reports every record that has finished since the last call.
    ///
    /// A record only counts as too large when the broker rejects it on its own: see
    /// `SingleRecordProducer`.
    public mutating func acknowledgements(_ body: (_ ticket: UInt64, Acknowledgement) -> Void) {
        if clearsDescriptor { signal.clear() }
        while let event = unsafe nextEvent(of: queue) {
            switch unsafe rd_kafka_event_type(event) {
            case RD_KAFKA_EVENT_DR:
                while let message = unsafe rd_kafka_event_message_next(event) {
                    let ticket = unsafe UInt64(UInt(bitPattern: message.pointee._private))
                    if unsafe message.pointee.err == RD_KAFKA_RESP_ERR_NO_ERROR {
                        unsafe noteTime(of: message)
                        body(ticket, .stored)
                    } else if let end = unsafe refusal(of: message) {
                        body(ticket, end)
                    }
                }
            case RD_KAFKA_EVENT_ERROR:
                failures.note(unsafe client.failure(reporting: event))
            default:
                break
            }
            unsafe rd_kafka_event_destroy(event)
        }
        alone?.acknowledgements(&failures, body)
    }

    private mutating func noteTime(of message: UnsafePointer<rd_kafka_message_t>) {
        var kind = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE
        let time = unsafe rd_kafka_message_timestamp(message, &kind)
        guard kind == RD_KAFKA_TIMESTAMP_LOG_APPEND_TIME, time > 0 else { return }
        let now = Instant(nanoseconds: UInt64(milliseconds()) * 1_000_000)
        brokerTime = BrokerTime(time: time, receivedAt: now)
    }

    /// The result of a record that was not stored; nil when it is being resent.
    private mutating func refusal(
        of message: UnsafePointer<rd_kafka_message_t>
    ) -> Acknowledgement? {
        let error = unsafe message.pointee.err
        if error == RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION, let topic = unsafe message.pointee.rkt {
            unsafe counts.forget(String(cString: rd_kafka_topic_name(topic)))
        }
        let end = client.acknowledgement(error)
        return end == .tooLarge ? unsafe offerAlone(message) : end
    }

    /// Resends a record that was rejected in a batch; returns the result if that fails.
    private mutating func offerAlone(
        _ message: UnsafePointer<rd_kafka_message_t>
    ) -> Acknowledgement? {
        do throws(KafkaFailure) {
            if alone == nil {
                alone = try SingleRecordProducer(properties: properties, signal: signal)
            }
            let refused = unsafe UnsafeMutablePointer(mutating: message)
            return unsafe alone?.offer(refused).map { .failed($0) }
        } catch {
            return .failed(error)
        }
    }

    /// The next failure that the owner has not seen.
    public mutating func nextFailure() -> KafkaFailure? {
        failures.isEmpty ? nil : failures.removeFirst()
    }

    /// The next line of the library's log.
    public mutating func nextLog() -> KafkaLog? { client.nextLog() ?? alone?.nextLog() }

    /// Sends queued records without lingering.
    public mutating func flush() {
        _ = unsafe rd_kafka_flush(client.pointer, 0)
        alone?.flush()
    }

    /// Closes the producer; do not use it afterwards.
    public mutating func close() {
        unsafe rd_kafka_purge(
            client.pointer,
            RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING)
        release()
        isClosed = true
        topics = nil
        alone = nil
    }
}
