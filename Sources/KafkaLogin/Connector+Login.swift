public import Configuration
public import Kafka

extension Connector {
    /// What clients of Kafka need: the properties, and the login.
    public var kafkaProperties: KafkaProperties {
        var properties = KafkaProperties(kafka)
        properties.tokens = kafkaLogin.map(LoginSource.tokens)
        return properties
    }
}
