internal import Configuration
internal import Delivery
internal import Kafka
internal import KafkaLogin
internal import Spelling

/// How many dead letters a connector has written lately, and of how many events.
struct DeadLetterRate: Equatable {
    /// Over how much time it is counted, in milliseconds.
    private static let period: Int64 = 3_600_000

    /// The dead letters of the last hour.
    var deadLetters: Int64
    /// The records of the source topics in the last hour.
    var events: Int64

    /// Counts dead letters and events; nil if no dead letter was written.
    static func read(
        of connector: Connector, now: Int64, timeoutMilliseconds: Int
    ) throws(KafkaFailure) -> DeadLetterRate? {
        let reader = try PartitionReader(properties: connector.kafkaProperties)
        let start = now - period
        let deadLetters = try reader.count(
            of: [connector.results.deadLetter], since: start,
            timeoutMilliseconds: timeoutMilliseconds)
        guard deadLetters > 0 else { return nil }
        return DeadLetterRate(
            deadLetters: deadLetters,
            events: try reader.count(
                of: try reader.names(
                    of: connector.source.topics, timeoutMilliseconds: timeoutMilliseconds),
                since: start,
                timeoutMilliseconds: timeoutMilliseconds))
    }

    /// True when more than one in twenty events has left a dead letter, as far as is known: an
    /// event for many devices may leave many.
    var isHigh: Bool { deadLetters > events / 20 }

    /// Both numbers.
    var message: String {
        "\(Plural.counted(deadLetters, "dead letter")) in the last hour, for"
            + " \(Plural.counted(events, "event"))"
    }
}
