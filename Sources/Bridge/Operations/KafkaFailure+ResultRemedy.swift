internal import Delivery

extension KafkaFailure {
    /// What to do about a result record that Kafka refuses for this reason.
    var remedyForResult: String {
        switch code {
        case "KAFKA_STORAGE_ERROR":
            "free space on the disks of the brokers, or replace the broken disk; the log of the"
                + " topic's leader says which"
        case "NOT_ENOUGH_REPLICAS", "NOT_ENOUGH_REPLICAS_AFTER_APPEND":
            "bring back the brokers with replicas of the topic: fewer are in sync than its"
                + " min.insync.replicas requires"
        case "UNKNOWN_TOPIC_OR_PART", "_UNKNOWN_TOPIC", "_UNKNOWN_PARTITION":
            "create the topic: kafka-topics.sh --create"
        case "TOPIC_AUTHORIZATION_FAILED":
            "grant this user WRITE on the topic; it works without a restart"
        case "CLUSTER_AUTHORIZATION_FAILED":
            "grant this user WRITE on the topic, and before Kafka 2.8 IDEMPOTENT_WRITE on the"
                + " cluster"
        case "MSG_SIZE_TOO_LARGE", "RECORD_LIST_TOO_LARGE":
            "raise max.message.bytes of the topic"
        case "INVALID_TIMESTAMP":
            "set this machine's clock: by it, the record is later than the topic's"
                + " message.timestamp.after.max.ms allows, or too early"
        case "LEADER_NOT_AVAILABLE", "NOT_LEADER_FOR_PARTITION", "_TRANSPORT",
            "_ALL_BROKERS_DOWN":
            Self.checkOfBrokers
        default:
            isTimeout
                ? Self.checkOfBrokers
                : "look up the code in Kafka's documentation, and its cause in the brokers' logs"
        }
    }

    private static let checkOfBrokers =
        "check that the brokers run, and look at their disks, load and request latency"
}
