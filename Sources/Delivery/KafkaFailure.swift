/// What Kafka, or librdkafka on its behalf, refused.
public struct KafkaFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The library's name of the failure, for example `_ALL_BROKERS_DOWN`.
    public var code: String
    /// What was to be done, for example `create topic orders`; empty when nobody asked for it.
    public var operation: String
    /// What happened, in the library's words.
    public var detail: String
    /// True when the client that reports it is unusable from now on.
    public var isFatal: Bool

    /// Describes a refusal.
    public init(code: String, operation: String = "", detail: String, isFatal: Bool = false) {
        self.code = code
        self.operation = operation
        self.detail = detail
        self.isFatal = isFatal
    }

    /// What was to be done and what happened, without the library's name of it.
    public var message: String { operation.isEmpty ? detail : "\(operation): \(detail)" }

    /// One line for people.
    public var description: String { "\(message) (\(code))" }
}
