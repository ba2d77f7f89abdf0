internal import Configuration
internal import Delivery
internal import Engine
internal import Kafka
internal import KafkaLogin
internal import Spelling

/// How many dead letters a connector has written lately, and of how many events.
struct DeadLetterRate: Equatable {
    /// Over how much time it is counted, in milliseconds.
    private static let period: Int64 = 3_600_000
    /// About how many of the newest dead letters are read to find out whose they are.
    private static let maxRead = 1000

    /// What was read of the topic, which connectors may share.
    struct Sample: Equatable {
        /// The dead letters that were read.
        var all: Int64 = 0
        /// Those of the connector.
        var own: Int64 = 0
        /// True if no dead letter of the last hour was left out.
        var isComplete = false
    }

    /// The offsets that the topic has used in the last hour.
    var inTopic: Int64
    /// Nil if the topic could not be read: to write to it, nobody needs to.
    var sample: Sample?
    /// The records of the source topics in the last hour.
    var events: Int64

    /// Counts dead letters and events; nil if no dead letter was written.
    static func read(
        of connector: Connector, now: Int64, timeoutMilliseconds: Int
    ) throws(KafkaFailure) -> DeadLetterRate? {
        let reader = try PartitionReader(properties: connector.kafkaProperties)
        let start = now - period
        let spans = try reader.spans(
            of: [connector.results.deadLetter], since: start,
            timeoutMilliseconds: timeoutMilliseconds)
        let inTopic = spans.offsetCount
        guard inTopic > 0 else { return nil }
        return DeadLetterRate(
            inTopic: inTopic,
            sample: sample(of: connector, spans, timeoutMilliseconds),
            events: try reader.count(
                of: try reader.names(
                    of: connector.source.topics, timeoutMilliseconds: timeoutMilliseconds),
                since: start,
                timeoutMilliseconds: timeoutMilliseconds))
    }

    private static func sample(
        of connector: Connector, _ spans: [PartitionReader.Span], _ timeoutMilliseconds: Int
    ) -> Sample? {
        var sample = Sample()
        let isComplete = try? PartitionReader.readNewest(
            maxRead, of: spans, properties: connector.kafkaProperties,
            timeoutMilliseconds: timeoutMilliseconds
        ) { stored in
            sample.all += 1
            let letter = StoredDeadLetter(headers: stored.headers)
            if letter?.connector == connector.name { sample.own += 1 }
        }
        sample.isComplete = isComplete ?? false
        return sample.all > 0 || sample.isComplete ? sample : nil
    }

    /// Those of the connector, by its share of what was read; all of the topic if nothing was.
    var deadLetters: Int64 {
        guard let sample else { return inTopic }
        if sample.isComplete { return sample.own }
        return Int64((Double(inTopic) * Double(sample.own) / Double(sample.all)).rounded())
    }

    /// Those that are not of the connector.
    private var others: Int64 {
        guard let sample else { return 0 }
        return (sample.isComplete ? sample.all : inTopic) - deadLetters
    }

    /// True when more than one in twenty events has left a dead letter, as far as is known: an
    /// event for many devices may leave many.
    var isHigh: Bool { deadLetters > events / 20 }

    /// Both numbers, and whose dead letters they are where that is in question.
    var message: String {
        let isEstimate = sample.map { !$0.isComplete && $0.own > 0 && $0.own < $0.all } ?? false
        let about = isEstimate ? "about " : ""
        let numbers =
            "\(about)\(Plural.counted(deadLetters, "dead letter")) in the last hour, for"
            + " \(Plural.counted(events, "event"))"
        guard sample != nil else {
            return numbers + "; the topic could not be read, and other connectors that share it may"
                + " have written some of them"
        }
        guard others > 0 else { return numbers }
        return numbers + "; \(about)\(others) more in the topic \(others == 1 ? "is" : "are") not"
            + " of this connector"
    }
}
