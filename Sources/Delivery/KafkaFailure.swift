/// An error reported by Kafka, or by librdkafka.
public struct KafkaFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The library's name for the error, for example `_ALL_BROKERS_DOWN`.
    public var code: String
    /// The operation that failed, for example `create topic orders`; empty when there was none.
    public var operation: String
    /// The library's description.
    public var detail: String
    /// True when the client that reports it has become unusable.
    public var isFatal: Bool

    /// Creates a failure.
    public init(code: String, operation: String = "", detail: String, isFatal: Bool = false) {
        self.code = code
        self.operation = operation
        self.detail = detail
        self.isFatal = isFatal
    }

    /// True when it concerns the connection to a broker, which is tried again.
    public var isAboutConnection: Bool {
        ["_TRANSPORT", "_ALL_BROKERS_DOWN", "_RESOLVE"].contains(code)
    }

    /// True when the process or the system lacks descriptors, threads or memory.
    public var isAboutResources: Bool {
        code.hasPrefix("ERRNO_") || code == "_CRIT_SYS_RESOURCE"
            || detail.contains("oo many open files")
    }

    /// True when Kafka refused the request because a right is missing.
    public var isAboutRights: Bool { code.hasSuffix("AUTHORIZATION_FAILED") }

    /// True when a topic does not exist, or not as far as the user may see.
    public var isAboutMissingTopic: Bool {
        code == "UNKNOWN_TOPIC_OR_PART" || code == "_UNKNOWN_TOPIC"
    }

    /// True when there was no response in time, as the library or a broker found.
    public var isTimeout: Bool { code.hasSuffix("TIMED_OUT") }

    /// True if another member of the group has the same `group.instance.id`.
    public var isFenced: Bool {
        code.contains("FENCED_INSTANCE") || detail.lowercased().contains("fenced by")
            || detail.contains("FENCED_INSTANCE")
    }

    /// The operation and the description, without the error's name.
    public var message: String { operation.isEmpty ? detail : "\(operation): \(detail)" }

    /// A one-line message for display.
    public var description: String { "\(message) (\(code))" }
}
