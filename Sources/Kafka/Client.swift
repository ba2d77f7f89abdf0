internal import CRDKafka
internal import Delivery
internal import Synchronization

/// Owns one librdkafka client and its log.
///
/// `@unchecked Sendable`: `rdkafka.h` promises that a client is completely thread-safe; the two
/// pointers never change between `init` and ``destroy(acknowledgingAssignment:)``, and the state is
/// locked.
@safe final class Client: @unchecked Sendable {
    /// Whether the library's client still exists.
    private enum State {
        case open, destroyed
        /// It exists until the process ends: the library would crash, or does not finish in time.
        case leftBehind
    }

    let pointer: OpaquePointer
    /// What it logs in with, if that is not in its properties.
    let tokens: LoginTokens?
    private let logs: OpaquePointer
    private let state = Mutex(State.open)
    /// How long its end is waited for, in milliseconds: usually it takes a few.
    private static let destruction: Int32 = 1000

    /// Creates a client whose log lines are kept for ``nextLog()``, and which logs in with
    /// `tokens` if there are any.
    init(
        _ kind: rd_kafka_type_t, _ configuration: consuming ClientConfiguration,
        _ operation: String, tokens: LoginTokens?
    ) throws(KafkaFailure) {
        try configuration.set("log.queue", "true")
        if tokens != nil { configuration.askForTokens() }
        self.tokens = tokens
        unsafe pointer = try configuration.makeClient(kind, operation)
        unsafe logs = rd_kafka_queue_new(pointer)
        unsafe rd_kafka_set_log_queue(pointer, logs)
        if let tokens { try begin(tokens, operation) }
    }

    deinit { destroy() }

    /// Destroys the client, unless it is left behind; do not use it afterwards. Its queues and
    /// topics must have been destroyed, and a member of a group must have left it.
    ///
    /// The group may have assigned partitions to a member that ends without leaving, before it was
    /// notified. librdkafka 2.0.2 then waits for a response that it no longer accepts; with
    /// `answeringAssignment` it gets one before. A client that is not destroyed in time is left
    /// behind: the library waits forever for the thread of a broker when a topic was deleted while
    /// its partitions were read (librdkafka issue 4362).
    func destroy(acknowledgingAssignment: Bool = false) {
        let wasOpen = state.withLock { state in
            defer { if state == .open { state = .destroyed } }
            return state == .open
        }
        guard wasOpen else { return }
        if let tokens {
            tokens.remove(self)
            TokenClients.remove(self)
        }
        let handles = unsafe Handles(client: pointer, logs: logs)
        let isDone = HelperThread.run("kafka-destroy", milliseconds: Self.destruction) {
            handles.destroy(acknowledgingAssignment: acknowledgingAssignment)
        }
        if !isDone { leaveBehind() }
    }

    /// True when the client is never destroyed.
    var isLeftBehind: Bool { state.withLock { $0 == .leftBehind } }

    /// Uses the library's client, unless it is destroyed; it is not destroyed meanwhile.
    func whileOpen(_ body: (OpaquePointer) -> String?) -> String? {
        state.withLock { $0 == .destroyed ? nil : unsafe body(pointer) }
    }

    /// Never destroys the client: the library would crash or wait. It ends with the process.
    func leaveBehind() { state.withLock { $0 = .leftBehind } }

    /// The next log line, skipping warnings about properties of the other kind of client.
    func nextLog() -> KafkaLog? {
        guard state.withLock({ $0 == .open }) else { return nil }
        while let event = unsafe nextEvent(of: logs) {
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
        let reason = Message()
        var size = reason.size
        guard
            unsafe rd_kafka_conf_get(rd_kafka_conf(pointer), property, reason.start, &size)
                == RD_KAFKA_CONF_OK
        else { return nil }
        return Int(reason.text)
    }

    /// The underlying error of `_FATAL`: the first one that made the client unusable.
    func fatalFailure() -> KafkaFailure? {
        guard unsafe rd_kafka_fatal_error(pointer, nil, 0) != RD_KAFKA_RESP_ERR_NO_ERROR else {
            return nil
        }
        let reason = Message()
        let error = unsafe rd_kafka_fatal_error(pointer, reason.start, reason.size)
        return KafkaFailure(error, detail: reason.text, isFatal: true)
    }

    /// Describes an error that the library reported; once an error was fatal, all later ones are
    /// its consequences.
    func failure(_ error: rd_kafka_resp_err_t, _ detail: String? = nil) -> KafkaFailure {
        let cause = isLostConnection(error, detail) ? RD_KAFKA_RESP_ERR__TRANSPORT : error
        if cause == RD_KAFKA_RESP_ERR__AUTHENTICATION { tokens?.wasRejected() }
        return describe(cause, detail)
    }

    private func describe(_ error: rd_kafka_resp_err_t, _ detail: String?) -> KafkaFailure {
        fatalFailure()
            ?? KafkaFailure(error, detail: detail, isFatal: error == RD_KAFKA_RESP_ERR__FATAL)
    }
}

/// True if a connection broke while a client logged in, which the library calls a failed login.
func isLostConnection(_ error: rd_kafka_resp_err_t, _ detail: String?) -> Bool {
    error == RD_KAFKA_RESP_ERR__AUTHENTICATION
        && detail?.contains(errorMessage(RD_KAFKA_RESP_ERR__TRANSPORT)) ?? false
}

/// The next event of a queue, without waiting; nil when there is none.
///
/// To ask an empty queue for an event costs several times what it costs to ask for its length.
func nextEvent(of queue: OpaquePointer) -> OpaquePointer? {
    guard unsafe rd_kafka_queue_length(queue) > 0 else { return nil }
    return unsafe rd_kafka_queue_poll(queue, 0)
}

/// The library's objects while they are destroyed.
///
/// `@unchecked Sendable`: one thread at a time uses them.
@safe private struct Handles: @unchecked Sendable {
    let client: OpaquePointer
    let logs: OpaquePointer

    func destroy(acknowledgingAssignment: Bool) {
        if acknowledgingAssignment {
            let none = PartitionList()
            if let error = unsafe rd_kafka_incremental_assign(client, none.pointer) {
                unsafe rd_kafka_error_destroy(error)
            }
        }
        unsafe rd_kafka_set_log_queue(client, nil)
        unsafe rd_kafka_queue_destroy(logs)
        // Closing has no time limit; a member closes before, with one of its own.
        unsafe rd_kafka_destroy_flags(client, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
    }
}
