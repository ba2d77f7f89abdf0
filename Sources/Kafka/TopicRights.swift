internal import CRDKafka
public import Delivery

/// What the user of some properties may do with a topic, as Kafka says; nothing is tried.
public enum TopicRights {
    /// True if the librdkafka that is loaded can ask for them: since 2.3.
    public static var canBeRead: Bool { rdkafka_knows_rights() != 0 }

    /// Whether this user may write to a topic; nil if the broker does not tell.
    ///
    /// Throws when no broker responds in time, or the topic is not there.
    public static func mayWrite(
        to topic: String, properties: KafkaProperties, timeoutMilliseconds: Int
    ) throws(KafkaFailure) -> Bool? {
        let operation = "ask for the rights on \(topic)"
        let configuration = try ClientConfiguration.observer(properties)
        let client = try Client(RD_KAFKA_CONSUMER, configuration, operation)
        var operations: Int64 = -1
        let error = unsafe rdkafka_rights(
            client.pointer, topic, Int32(timeoutMilliseconds), &operations)
        switch error {
        case RD_KAFKA_RESP_ERR_NO_ERROR: break
        // Without the right to see it there is none to write to it.
        case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED: return false
        default:
            var failure = KafkaFailure(error)
            failure.operation = operation
            throw failure
        }
        guard operations >= 0 else { return nil }
        return operations & (1 << Int64(RD_KAFKA_ACL_OPERATION_WRITE.rawValue)) != 0
    }
}
