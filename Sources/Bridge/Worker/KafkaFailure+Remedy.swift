internal import Delivery
internal import Kafka

extension KafkaFailure {
    /// True when the source of login tokens is unavailable, which passes by itself.
    var waitsForLogin: Bool { detail.contains(LoginTokens.unavailableMessage) }

    /// What to do about a right or a login that Kafka refuses; nil for other failures.
    ///
    /// Kafka checks rights with each request: what is granted works without a restart.
    func remedy(group: String) -> String? {
        switch code {
        case "GROUP_AUTHORIZATION_FAILED": "grant this user READ on the group '\(group)'"
        case "TOPIC_AUTHORIZATION_FAILED":
            "grant this user READ on the source topics and WRITE on the result topics"
        case "CLUSTER_AUTHORIZATION_FAILED":
            "grant this user WRITE on the result topics, and before Kafka 2.8 IDEMPOTENT_WRITE on"
                + " the cluster"
        // Kafka was not asked: the login has lines of its own.
        case "_AUTHENTICATION" where waitsForLogin: nil
        case "SASL_AUTHENTICATION_FAILED", "_AUTHENTICATION":
            "check the user and the password under kafka, or kafka_login; 'apns-bridge doctor'"
                + " tries them"
        default: nil
        }
    }

    /// What Kafka refused, without the connection of a login: the library has several to one broker
    /// and reports each.
    var refusal: Substring {
        guard !isAboutRights, let reason = detail.firstRange(of: "SASL ") else {
            return message[...]
        }
        return detail[reason.lowerBound...]
    }

    /// What to do about another process with the same `group.instance.id`, or `other` if there is
    /// none.
    func remedy(unlessFenced other: String) -> String {
        isFenced
            ? "another process has the same group.instance.id: give each its own, or stop the other"
                + " one" : other
    }

    /// What to do when the settings of topics could not be read; nil where nothing helps. `again`
    /// says how to repeat the check.
    func remedyForSettings(of topics: String, again: String) -> String? {
        if isAboutRights { return "grant DESCRIBE_CONFIGS on \(topics)" }
        if isAboutConnection {
            return "a broker cannot be reached: check that all brokers run, and the network to"
                + " them; then \(again)"
        }
        guard isTimeout else { return nil }
        return "Kafka did not respond in time: \(again); if it fails again, look at the load and"
            + " the request latency of the brokers"
    }

    /// What to do when a request about a topic failed, and no right is missing.
    func remedyForTopic(_ topic: String, at addresses: String) -> String {
        if isAboutConnection {
            return "check that all brokers run, and that their advertised.listeners can be reached"
                + " from here"
        }
        let message =
            isTimeout
            ? "look at the load of the brokers, and at the leaders of its partitions"
            : "inspect the topic"
        return "\(message): kafka-topics.sh --bootstrap-server \(addresses) --describe --topic"
            + " \(topic)"
    }
}
