internal import CRDKafka
public import Delivery

/// Whether a user may be a member of a group, as Kafka says: nobody joins it to find out.
public enum GroupAccess: Equatable, Sendable {
    /// Kafka allows the operation READ, with which a member joins and commits.
    case granted
    /// Kafka allows other operations, but not READ.
    case denied
    /// The broker does not say what it allows.
    case unknown

    /// Asks what the user may do with a group; nil when this librdkafka cannot (before 2.3).
    ///
    /// Throws when no broker responds in time, when the broker cannot say, or when the user may
    /// not describe the group.
    public static func read(
        properties: KafkaProperties, group: String, timeoutMilliseconds: Int
    ) throws(KafkaFailure) -> GroupAccess? {
        guard rdkafka_can_describe_topics() != 0 else { return nil }
        let operation = "ask what the user may do"
        let client = try Client(
            RD_KAFKA_CONSUMER, try ClientConfiguration.observer(properties), operation,
            tokens: properties.tokens)
        var found = GroupAccess.unknown
        try unsafe client.administer(operation, timeoutMilliseconds) { queue in
            unsafe group.withCString {
                unsafe rdkafka_describe_group(
                    client.pointer, $0, Int32(timeoutMilliseconds), queue)
            }
        } reading: { event in
            guard let group = unsafe rdkafka_described_group(event) else { return nil }
            let error = unsafe rdkafka_described_group_error(group)
            guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { return KafkaFailure(error, operation) }
            var count = 0
            let operations = unsafe UnsafeBufferPointer(
                start: rdkafka_group_operations(group, &count), count: count)
            guard count > 0 else { return nil }
            let mayRead = unsafe operations.contains {
                $0 == RD_KAFKA_ACL_OPERATION_READ || $0 == RD_KAFKA_ACL_OPERATION_ALL
            }
            found = mayRead ? .granted : .denied
            return nil
        }
        return found
    }
}
