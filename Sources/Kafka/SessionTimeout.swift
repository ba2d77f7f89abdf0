internal import CRDKafka
internal import Delivery
internal import Synchronization

/// How long the group waits for a member that is gone, unless the user sets it.
///
/// Meanwhile no member of the group can commit, and everything finished in that time is repeated if
/// another member fails: librdkafka's 45 s are too long. A static member (`group.instance.id`) is
/// expected to return, and with the new group protocol the broker decides.
enum SessionTimeout {
    private static let session = "10000"
    private static let heartbeat = "2000"
    /// The clusters, by address, that do not allow such a short session timeout.
    private static let refusing = Mutex<Set<String>>([])

    /// Sets both properties, unless the library's defaults should apply.
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

    /// Explains an error caused by our value: the member restarts with the library's default.
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
