internal import Configuration
internal import Delivery
internal import Kafka
internal import KafkaLogin

/// Checks, before anything listens, that Kafka is reachable and has the topic.
struct TopicCheck {
    let properties: KafkaProperties
    let topic: String
    /// The setting that contains the topic.
    let setting: String
    let right: String
    let locations: SettingLocations

    init(
        properties: KafkaProperties, topic: String, setting: String, right: String,
        locations: SettingLocations
    ) {
        self.properties = properties
        self.topic = topic
        self.setting = setting
        self.right = right
        self.locations = locations
    }

    init(_ settings: LegacySettings) {
        self.init(
            properties: settings.kafkaProperties, topic: settings.topic.name,
            setting: settings.topic.setting, right: settings.kind == .gateway ? "WRITE" : "READ",
            locations: settings.locations)
    }

    /// Throws unless the topic can be used; returns how records to it are best produced.
    func look(timeoutMilliseconds: Int = 15_000) throws(LegacyFailure) -> Batching {
        let description = try describe(timeoutMilliseconds: timeoutMilliseconds)
        if let problem = problem(in: description) { throw LegacyFailure(.configuration, problem) }
        return description.batching(to: topic).urgent
    }

    func describe(timeoutMilliseconds: Int) throws(LegacyFailure) -> ClusterDescription {
        do throws(KafkaFailure) {
            return try ClusterInspection.describe(
                properties: properties, topics: [topic], timeoutMilliseconds: timeoutMilliseconds)
        } catch {
            throw LegacyFailure(
                .unavailable,
                locations.error(
                    at: "kafka.bootstrap.servers", "kafka",
                    message: "no connection to Kafka at \(properties.addresses): \(error.detail)",
                    remedy: error.code == "_AUTHENTICATION" && properties.tokens != nil
                        ? "check kafka_login: 'apns-bridge doctor' asks for a token"
                        : "start Kafka there, or correct the address in bootstrap.servers"))
        }
    }

    /// What is wrong with the topic; nil when it can be used.
    func problem(in description: ClusterDescription) -> Diagnostic? {
        guard case .failed(let failure)? = description.topics[topic] else { return nil }
        return problem(failure)
    }

    private func problem(_ failure: KafkaFailure) -> Diagnostic {
        switch failure.code {
        case "UNKNOWN_TOPIC_OR_PART":
            locations.error(
                at: setting, message: "Kafka has no topic '\(topic)'",
                remedy: "create it: kafka-topics.sh --bootstrap-server \(properties.addresses)"
                    + " --create --topic \(topic) --partitions 8"
                    + (setting == "unregistered" ? " --config cleanup.policy=compact" : ""))
        case "TOPIC_AUTHORIZATION_FAILED":
            locations.error(
                at: setting,
                message: "Kafka does not allow this user to describe the topic '\(topic)'",
                remedy: "grant it DESCRIBE and \(right): kafka-acls.sh --add")
        default:
            locations.error(
                at: setting,
                message: "topic '\(topic)' cannot be used: \(failure.detail) (\(failure.code))",
                remedy: "inspect it: kafka-topics.sh --bootstrap-server \(properties.addresses)"
                    + " --describe --topic \(topic)")
        }
    }
}
