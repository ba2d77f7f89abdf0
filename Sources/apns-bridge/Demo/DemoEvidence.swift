internal import Delivery
internal import JSON
internal import Kafka

/// The final content of the topics, from which everything shown is derived.
struct DemoEvidence: Sendable {
    var source: [StoredRecord]
    var outcomes: [StoredRecord]
    var unregistered: [StoredRecord]
    var deadLetters: [StoredRecord]
    var committed: [CommittedOffset]

    /// Reads the four topics and the group's committed offsets; blocks its thread.
    static func read(_ properties: KafkaProperties) throws(KafkaFailure) -> DemoEvidence {
        let reader = try TopicReader(properties: properties)
        let partitions = (0..<DemoWorld.partitions).map {
            TopicPartition(topic: DemoWorld.source, partition: Int32($0))
        }
        return DemoEvidence(
            source: try reader.readAll(DemoWorld.source),
            outcomes: try reader.readAll(DemoWorld.outcomes),
            unregistered: try reader.readAll(DemoWorld.unregistered),
            deadLetters: try reader.readAll(DemoWorld.deadLetter),
            committed: try CommittedOffsets.read(
                properties: properties, group: DemoWorld.group, partitions: partitions))
    }
}

/// One outcome, as read from its record.
struct DemoOutcome: Hashable {
    var ending: DemoEnding
    var partition: Int32
    var offset: Int64
    var attempts: Int64

    /// Parses the value of an outcome record; nil when it is not one.
    init?(_ value: [UInt8]?) {
        guard let value else { return nil }
        var tape = JSONTape()
        do { try tape.read(value) } catch { return nil }
        guard let verdict = tape.member("verdict", of: 0, in: value),
            let word = tape.text(of: verdict, in: value),
            let source = tape.member("source", of: 0, in: value),
            let partition = tape.member("partition", of: source, in: value),
            let number = tape.integer(of: partition, in: value),
            let offset = tape.member("offset", of: source, in: value),
            let position = tape.integer(of: offset, in: value),
            let attempts = tape.member("attempts", of: 0, in: value),
            let tries = tape.integer(of: attempts, in: value)
        else { return nil }
        let reason = tape.member("reason", of: 0, in: value)
            .flatMap { tape.text(of: $0, in: value) }
        ending = DemoEnding(verdict: word, reason: reason)
        self.partition = Int32(truncatingIfNeeded: number)
        self.offset = position
        self.attempts = tries
    }
}
