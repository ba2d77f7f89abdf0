internal import CRDKafka
internal import Delivery
internal import Synchronization

/// How long the group waits for a member that is gone, where the user does not say it.
///
/// While it waits nobody in the group can commit, and all that is finished meanwhile is repeated if
/// another member ends: librdkafka's 45 s are too long. A member with a name of its own
/// (`group.instance.id`) is expected back, and the new protocol of groups asks the broker.
enum SessionTimeout {
    private static let session = "10000"
    private static let heartbeat = "2000"
    /// The clusters, by their addresses, that do not allow so short a session.
    private static let refusing = Mutex<Set<String>>([])

    /// Sets both properties, unless the library's own values are to hold.
    static func set(
        in configuration: borrowing ClientConfiguration, _ properties: KafkaProperties,
        instance: String?
    ) throws(KafkaFailure) {
        guard applies(to: properties, instance: instance) else { return }
        try configuration.set("session.timeout.ms", session)
        try configuration.set("heartbeat.interval.ms", heartbeat)
    }

    private static func applies(to properties: KafkaProperties, instance: String?) -> Bool {
        instance == nil && (properties["group.protocol"] ?? "classic") == "classic"
            && !properties.sets(
                "session.timeout.ms", "heartbeat.interval.ms", "group.instance.id")
            && !refusing.withLock { $0.contains(properties.addresses) }
    }

    /// What a refusal of ours means: the member starts again with the library's own values.
    static func failure(
        _ error: rd_kafka_resp_err_t, _ properties: KafkaProperties, instance: String?
    ) -> KafkaFailure? {
        guard error == RD_KAFKA_RESP_ERR_INVALID_SESSION_TIMEOUT,
            applies(to: properties, instance: instance)
        else { return nil }
        refusing.withLock { _ = $0.insert(properties.addresses) }
        return KafkaFailure(
            error,
            detail: "the broker does not allow session.timeout.ms=\(session)"
                + " (group.min.session.timeout.ms, group.max.session.timeout.ms): restarting"
                + " with librdkafka's default; set session.timeout.ms under 'kafka' to choose one",
            isFatal: true)
    }
}
