internal import CRDKafka
public import Delivery
internal import Glibc

/// Whether a user may write to a topic, as Kafka says: nothing is written to find out.
public enum WriteAccess: Equatable, Sendable {
    /// Kafka allows the operation WRITE.
    case granted
    /// Kafka allows other operations, but not WRITE.
    case denied
    /// The broker does not say what it allows.
    case unknown
    /// The topic could not be described, for example without the right to do so.
    case failed(KafkaFailure)

    /// Asks what the user may do with topics; nil when this librdkafka cannot (before 2.3).
    ///
    /// Throws when no broker responds in time, or when the broker cannot say (before Kafka 2.3).
    public static func read(
        properties: KafkaProperties, topics: [String], timeoutMilliseconds: Int
    ) throws(KafkaFailure) -> [String: WriteAccess]? {
        guard rdkafka_can_describe_topics() != 0 else { return nil }
        let operation = "ask what the user may do"
        let client = try Client(
            RD_KAFKA_CONSUMER, try ClientConfiguration.observer(properties), operation,
            tokens: properties.tokens)
        var found: [String: WriteAccess] = [:]
        try unsafe client.administer(operation, timeoutMilliseconds) { queue in
            unsafe withCStrings(topics) { names in
                unsafe rdkafka_describe_topics(
                    client.pointer, names.baseAddress, names.count, Int32(timeoutMilliseconds),
                    queue)
            }
        } reading: { event in
            var count = 0
            guard let topics = unsafe rdkafka_described_topics(event, &count) else { return nil }
            for index in 0..<count {
                guard let topic = unsafe topics[index] else { continue }
                let name = unsafe String(cString: rdkafka_described_name(topic))
                found[name] = unsafe WriteAccess(describing: topic)
            }
            return nil
        }
        return found
    }

    private init(describing topic: UnsafeRawPointer) {
        let error = unsafe rdkafka_described_error(topic)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
            self = .failed(KafkaFailure(error))
            return
        }
        var count = 0
        let operations = unsafe UnsafeBufferPointer(
            start: rdkafka_described_operations(topic, &count), count: count)
        guard count > 0 else {
            self = .unknown
            return
        }
        let mayWrite = unsafe operations.contains {
            $0 == RD_KAFKA_ACL_OPERATION_WRITE || $0 == RD_KAFKA_ACL_OPERATION_ALL
        }
        self = mayWrite ? .granted : .denied
    }
}

/// Calls `body` with strings as an array of C strings.
func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutableBufferPointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let copies = unsafe strings.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    var names: [UnsafePointer<CChar>?] = unsafe copies.map { unsafe UnsafePointer($0) }
    return unsafe names.withUnsafeMutableBufferPointer { unsafe body($0) }
}
