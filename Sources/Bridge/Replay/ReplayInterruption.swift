public import Delivery

/// Why a replay stopped before its end, other than a failure of Kafka.
public enum ReplayInterruption: Error, Equatable, Sendable {
    /// Another replay of the connector has committed meanwhile.
    case anotherReplay
    /// The dead letters that were passed over are too many to be recorded in a commit.
    case tooManyPassedOver
    /// Kafka failed.
    case kafka(KafkaFailure)
}
