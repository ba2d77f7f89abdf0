public import Configuration
public import Kafka

extension LegacySettings {
    /// What clients of Kafka need: the properties, and the login.
    public var kafkaProperties: KafkaProperties { .properties(kafka, kafkaLogin) }
}

extension LegacyGatewaySettings {
    /// What its producer needs: the properties, and the login.
    public var kafkaProperties: KafkaProperties { .properties(kafka, kafkaLogin) }
}

extension FeedbackServiceSettings {
    /// What its consumers need: the properties, and the login.
    public var kafkaProperties: KafkaProperties { .properties(kafka, kafkaLogin) }
}

extension KafkaProperties {
    fileprivate static func properties(
        _ written: [(name: String, value: String)], _ login: KafkaLoginSettings?
    ) -> KafkaProperties {
        var properties = KafkaProperties(written)
        properties.tokens = login.map(LoginSource.tokens)
        return properties
    }
}
