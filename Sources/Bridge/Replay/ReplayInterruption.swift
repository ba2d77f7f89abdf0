public import Delivery

/// Why a replay stopped before its end, other than a failure of Kafka.
public enum ReplayInterruption: Error, Equatable, Sendable {
    /// Another replay of the connector has committed meanwhile.
    case anotherReplay
    /// Nothing is recorded of dead letters that are older than what Kafka remembers: they may have
    /// been replayed before. `oldest` is when the oldest was written, in milliseconds since 1970;
    /// `kept` is how long Kafka keeps the offsets of a group, in milliseconds.
    case nothingRecorded(oldest: Int64, kept: Int64)
    /// The dead letters that were passed over are too many to be recorded in a commit. Nothing was
    /// written that is not recorded.
    case tooManyPassedOver
    /// Kafka failed.
    case kafka(KafkaFailure)
}
