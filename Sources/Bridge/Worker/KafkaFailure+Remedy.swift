internal import Delivery

extension KafkaFailure {
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
        case "SASL_AUTHENTICATION_FAILED", "_AUTHENTICATION":
            "check the user and the password under kafka; 'apns-bridge doctor' tries them"
        default: nil
        }
    }

    /// What to do when the settings of topics could not be read; nil where nothing helps.
    func remedyForSettings(of topics: String) -> String? {
        if code.contains("AUTHORIZATION") { return "grant DESCRIBE_CONFIGS on \(topics)" }
        guard isAboutConnection || code.hasSuffix("TIMED_OUT") else { return nil }
        return "Kafka did not respond in time: repeat the check with 'apns-bridge doctor'; if it"
            + " fails again, look at the load and the request latency of the brokers"
    }
}
