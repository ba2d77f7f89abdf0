internal import CRDKafka

/// What Kafka, or librdkafka on its behalf, refused.
public struct KafkaFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The library's name of the failure, for example `_ALL_BROKERS_DOWN`.
    public var code: String
    /// What was to be done, for example `create topic orders`.
    public var operation: String
    /// What happened, in the library's words.
    public var detail: String

    /// Describes a refusal.
    public init(code: String, operation: String, detail: String) {
        self.code = code
        self.operation = operation
        self.detail = detail
    }

    /// One line for people.
    public var description: String { "\(operation): \(detail) (\(code))" }
}

extension KafkaFailure {
    /// Names an error code of the library; `detail` defaults to the library's words for it.
    init(_ error: rd_kafka_resp_err_t, _ operation: String, _ detail: String? = nil) {
        self.init(code: errorName(error), operation: operation, detail: detail ?? errorWords(error))
    }

    /// Reads and frees an error object of the library.
    init(consuming error: OpaquePointer, _ operation: String) {
        self.init(
            unsafe rd_kafka_error_code(error), operation,
            unsafe String(cString: rd_kafka_error_string(error)))
        unsafe rd_kafka_error_destroy(error)
    }
}

/// The library's name of an error, for example `UNKNOWN_TOPIC_OR_PART`.
func errorName(_ error: rd_kafka_resp_err_t) -> String {
    unsafe String(cString: rd_kafka_err2name(error))
}

/// The library's words for an error.
func errorWords(_ error: rd_kafka_resp_err_t) -> String {
    unsafe String(cString: rd_kafka_err2str(error))
}
