internal import CRDKafka
internal import Delivery
internal import Synchronization

/// Owns one librdkafka client and its log.
///
/// `@unchecked Sendable`: `rdkafka.h` promises that a client is completely thread-safe; the two
/// pointers never change between `init` and `deinit`, and the flags are atomic.
@safe final class Client: @unchecked Sendable {
    let pointer: OpaquePointer
    private let logs: OpaquePointer
    private let isAbandoned = Atomic(false)
    private let isLeftAlone = Atomic(false)

    /// Creates a client whose log lines are kept for ``nextLog()``.
    init(
        _ kind: rd_kafka_type_t, _ configuration: consuming ClientConfiguration,
        _ operation: String
    ) throws(KafkaFailure) {
        try configuration.set("log.queue", "true")
        unsafe pointer = try configuration.makeClient(kind, operation)
        unsafe logs = rd_kafka_queue_new(pointer)
        unsafe rd_kafka_set_log_queue(pointer, logs)
    }

    deinit {
        if isLeftBehind { return }
        unsafe rd_kafka_set_log_queue(pointer, nil)
        unsafe rd_kafka_queue_destroy(logs)
        unsafe rd_kafka_destroy_flags(
            pointer,
            isAbandoned.load(ordering: .relaxed) ? RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE : 0)
    }

    /// Lets the client end without telling its group, which notices after the session timeout.
    func abandonGroup() { isAbandoned.store(true, ordering: .relaxed) }

    /// True when the client is never destroyed.
    var isLeftBehind: Bool { isLeftAlone.load(ordering: .relaxed) }

    /// Never destroys the client: the library would crash or wait. It ends with the process.
    func leaveAlone() { isLeftAlone.store(true, ordering: .relaxed) }

    /// The next log line, skipping warnings about properties of the other kind of client.
    func nextLog() -> KafkaLog? {
        while let event = unsafe rd_kafka_queue_poll(logs, 0) {
            defer { unsafe rd_kafka_event_destroy(event) }
            var facility: UnsafePointer<CChar>?
            var message: UnsafePointer<CChar>?
            var level: Int32 = 0
            guard unsafe rd_kafka_event_log(event, &facility, &message, &level) == 0,
                let facility = unsafe facility, let message = unsafe message
            else { continue }
            let log = unsafe KafkaLog(
                level: Int(level), facility: String(cString: facility),
                message: String(cString: message))
            if log.facility == "CONFWARN", log.message.contains("property and will be ignored") {
                continue
            }
            return log
        }
        return nil
    }

    /// The numeric value of a property of the running client.
    func number(_ property: String) -> Int? {
        let words = Words()
        var size = words.size
        guard
            unsafe rd_kafka_conf_get(rd_kafka_conf(pointer), property, words.start, &size)
                == RD_KAFKA_CONF_OK
        else { return nil }
        return Int(words.text)
    }

    /// The underlying error of `_FATAL`: the first one that made the client unusable.
    func fatalFailure() -> KafkaFailure? {
        guard unsafe rd_kafka_fatal_error(pointer, nil, 0) != RD_KAFKA_RESP_ERR_NO_ERROR else {
            return nil
        }
        let words = Words()
        let error = unsafe rd_kafka_fatal_error(pointer, words.start, words.size)
        return KafkaFailure(error, detail: words.text, isFatal: true)
    }

    /// Describes an error that the library reported; once an error was fatal, all later ones are
    /// its consequences.
    func failure(_ error: rd_kafka_resp_err_t, _ detail: String? = nil) -> KafkaFailure {
        fatalFailure()
            ?? KafkaFailure(error, detail: detail, isFatal: error == RD_KAFKA_RESP_ERR__FATAL)
    }
}
