internal import CRDKafka
public import Delivery

/// One idempotent librdkafka producer, driven by whoever owns it.
///
/// A record counts as stored only when all in-sync replicas have it. Everything is copied at
/// once; nothing here waits.
@safe public struct Producer: ResultSink, ~Copyable {
    /// Readable when there may be something to hear: watch it, then ask for acknowledgements.
    public var descriptor: Int32 { signal.number }

    let client: Client
    let queue: OpaquePointer
    private let signal: EventDescriptor
    private let properties: KafkaProperties
    private var alone: LoneProducer?
    private var topics: TopicHandles?
    private let fields: UnsafeMutablePointer<rd_kafka_vu_t>
    private var failures: [KafkaFailure] = []
    private var isClosed = false

    /// Makes a producer; it connects by itself.
    public init(properties: KafkaProperties) throws(KafkaFailure) {
        let configuration = try ClientConfiguration.producer(properties)
        unsafe rd_kafka_conf_set_events(
            configuration.pointer, RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR)
        let signal = try EventDescriptor("make a producer")
        let client = try Client(RD_KAFKA_PRODUCER, configuration, "make a producer")
        self.signal = signal
        self.client = client
        self.properties = properties
        topics = TopicHandles(client: client)
        unsafe queue = rd_kafka_queue_get_main(client.pointer)
        var one: UInt64 = 1
        unsafe rd_kafka_queue_io_event_enable(queue, signal.number, &one, 8)
        unsafe fields = .allocate(capacity: 6)
        unsafe fields.initialize(repeating: rd_kafka_vu_t(), count: 6)
    }

    deinit {
        release()
        unsafe fields.deallocate()
    }

    private func release() {
        guard !isClosed else { return }
        unsafe rd_kafka_queue_io_event_enable(queue, -1, nil, 0)
        unsafe rd_kafka_queue_destroy(queue)
    }

    /// Hands over a record; its end is reported with `ticket`.
    public mutating func publish(
        _ record: borrowing ResultRecord, ticket: UInt64
    ) -> PublishResult {
        guard let topic = unsafe topics?.handle(of: record.topic) else {
            return .failed(client.failure(rd_kafka_last_error(), "topic \(record.topic)"))
        }
        var headers: OpaquePointer?
        if !record.headers.isEmpty { unsafe headers = makeHeaders(record.headers) }
        unsafe fields[0].vtype = RD_KAFKA_VTYPE_RKT
        unsafe fields[0].u.rkt = topic
        unsafe fields[1].vtype = RD_KAFKA_VTYPE_MSGFLAGS
        unsafe fields[1].u.i = RD_KAFKA_MSG_F_COPY
        unsafe fields[2].vtype = RD_KAFKA_VTYPE_OPAQUE
        unsafe fields[2].u.ptr = UnsafeMutableRawPointer(bitPattern: UInt(ticket))
        unsafe fields[5].vtype = RD_KAFKA_VTYPE_HEADERS
        unsafe fields[5].u.headers = headers
        let count = unsafe headers == nil ? 5 : 6
        let size = (record.key?.count ?? 0) + (record.value?.count ?? 0)
        let error = unsafe withBytes(record.key) { key, keySize in
            unsafe withBytes(record.value) { value, valueSize in
                unsafe fields[3].vtype = RD_KAFKA_VTYPE_KEY
                unsafe fields[3].u.mem = .init(ptr: key, size: keySize)
                unsafe fields[4].vtype = RD_KAFKA_VTYPE_VALUE
                unsafe fields[4].u.mem = .init(ptr: value, size: valueSize)
                return unsafe rd_kafka_produceva(client.pointer, fields, count)
            }
        }
        guard let error = unsafe error else { return .queued }
        if let headers = unsafe headers { unsafe rd_kafka_headers_destroy(headers) }
        return unsafe refusal(error, size: size)
    }

    /// The answer to a record that the library did not take.
    private func refusal(_ error: OpaquePointer, size: Int) -> PublishResult {
        let code = unsafe rd_kafka_error_code(error)
        let failure = unsafe KafkaFailure(consuming: error)
        switch code {
        case RD_KAFKA_RESP_ERR__QUEUE_FULL:
            // An empty queue that has no room never will have.
            return unsafe rd_kafka_outq_len(client.pointer) == 0 ? .tooLarge : .full
        case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
            return .tooLarge
        default:
            return .failed(client.fatalFailure() ?? failure)
        }
    }

    /// Reports every record that has ended since the last call.
    ///
    /// A record is only called too large when the broker refuses it alone: see `LoneProducer`.
    public mutating func acknowledgements(_ body: (_ ticket: UInt64, Acknowledgement) -> Void) {
        signal.clear()
        while let event = unsafe rd_kafka_queue_poll(queue, 0) {
            switch unsafe rd_kafka_event_type(event) {
            case RD_KAFKA_EVENT_DR:
                while let message = unsafe rd_kafka_event_message_next(event) {
                    var end: Acknowledgement? = client.acknowledgement(unsafe message.pointee.err)
                    if end == .tooLarge { end = unsafe offerAlone(message) }
                    guard let end else { continue }
                    body(unsafe UInt64(UInt(bitPattern: message.pointee._private)), end)
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

    /// Offers a record again that was refused in a batch; its end, if that cannot be done.
    private mutating func offerAlone(
        _ message: UnsafePointer<rd_kafka_message_t>
    ) -> Acknowledgement? {
        do throws(KafkaFailure) {
            if alone == nil { alone = try LoneProducer(properties: properties, signal: signal) }
            let refused = unsafe UnsafeMutablePointer(mutating: message)
            return unsafe alone?.offer(refused).map { .failed($0) }
        } catch {
            return .failed(error)
        }
    }

    /// The next failure that the owner has not heard of.
    public mutating func nextFailure() -> KafkaFailure? {
        failures.isEmpty ? nil : failures.removeFirst()
    }

    /// The next line of the library's log.
    public mutating func nextLog() -> KafkaLog? { client.nextLog() ?? alone?.nextLog() }

    /// Sends what is queued without lingering.
    public mutating func flush() {
        _ = unsafe rd_kafka_flush(client.pointer, 0)
        alone?.flush()
    }

    /// Ends; nothing may be called afterwards.
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
