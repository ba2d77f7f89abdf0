internal import CRDKafka
internal import Delivery
internal import Synchronization

/// How long the group waits for a member that is gone, unless the user sets it.
///
/// Meanwhile no member of the group can commit, and everything finished in that time is repeated if
/// another member fails: librdkafka's 45 s are too long. A static member (`group.instance.id`) is
/// expected to return, and with the new group protocol the broker decides.
enum SessionTimeout {
    private static let session = 10_000
    private static let heartbeat = 2000
    /// The clusters, by address, that do not allow ours, with what they allow, in milliseconds; nil
    /// where that is unknown.
    private static let refusing = Mutex<[String: Int?]>([:])

    /// Sets both properties, unless the library's defaults should apply.
    static func set(
        in configuration: borrowing ClientConfiguration, _ properties: KafkaProperties,
        instance: String?
    ) throws(KafkaFailure) {
        guard applies(to: properties, instance: instance) else { return }
        let allowed = refusing.withLock { $0[properties.addresses] ?? session }
        guard let allowed else { return }
        try configuration.set("session.timeout.ms", "\(allowed)")
        try configuration.set("heartbeat.interval.ms", "\(min(heartbeat, allowed / 3))")
    }

    private static func applies(to properties: KafkaProperties, instance: String?) -> Bool {
        instance == nil && properties.usesClassicGroups
            && !properties.sets(
                "session.timeout.ms", "heartbeat.interval.ms", "group.instance.id")
    }

    /// Explains an error caused by our value. The member restarts with what the broker allows if it
    /// reports that within two seconds, else with the library's default.
    static func failure(
        _ error: rd_kafka_resp_err_t, of client: Client, _ properties: KafkaProperties,
        instance: String?
    ) -> KafkaFailure? {
        guard error == RD_KAFKA_RESP_ERR_INVALID_SESSION_TIMEOUT,
            applies(to: properties, instance: instance),
            let refused = client.number("session.timeout.ms"),
            let next = successor(of: refused, properties.addresses, client)
        else { return nil }
        let reason = next.map { "\($0), which it allows" } ?? "librdkafka's default"
        return KafkaFailure(
            error,
            detail: "the broker does not allow session.timeout.ms=\(refused)"
                + " (group.min.session.timeout.ms, group.max.session.timeout.ms): restarting"
                + " with \(reason); set session.timeout.ms under 'kafka' to choose one",
            isFatal: true)
    }

    /// What to try after a refused value: `.some(nil)` is the library's default; nil when that was
    /// refused, too. Another worker may have learned it already.
    private static func successor(of refused: Int, _ cluster: String, _ client: Client) -> Int?? {
        let known = refusing.withLock { $0[cluster] }
        if known == .some(nil), refused != session { return nil }
        let next: Int? =
            switch known {
            case nil: nearest(in: client.brokerSettings(milliseconds: 2000) ?? [:])
            case .some(let value): value == refused ? nil : value
            }
        refusing.withLock { _ = $0.updateValue(next, forKey: cluster) }
        return .some(next)
    }

    /// The session timeout nearest to ours that a broker with these settings allows; nil when they
    /// do not say.
    static func nearest(in settings: [String: String]) -> Int? {
        if let least = settings["group.min.session.timeout.ms"].flatMap({ Int($0) }),
            least > session
        {
            return least
        }
        if let maximum = settings["group.max.session.timeout.ms"].flatMap({ Int($0) }),
            maximum < session, maximum > 0
        {
            return maximum
        }
        return nil
    }
}
