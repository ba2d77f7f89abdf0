internal import Delivery
internal import Kafka
internal import Telemetry

/// Adds up the records in the topics, and finds discrepancies.
struct DemoCheck {
    private(set) var endings: [DemoEnding: Int] = [:]
    private(set) var problems: [String] = []
    /// The latency from event to outcome in milliseconds, according to their records' timestamps.
    private(set) var latencies = Histogram()
    /// The same for pushes with a response to the first attempt.
    private(set) var firstAttempts = Histogram()

    private struct Position: Hashable {
        var partition: Int32
        var offset: Int64
    }

    init(_ evidence: DemoEvidence) {
        countOutcomes(evidence)
        expect("events published", evidence.source.count, DemoEvents.count)
        let expected = DemoEvents.endings
        for ending in Set(expected.keys).union(endings.keys).sorted() {
            let name = [ending.verdict, ending.reason].compactMap(\.self).joined(separator: " ")
            expect("outcomes '\(name)'", endings[ending] ?? 0, expected[ending] ?? 0)
        }
        let dead = DemoEnding(verdict: "rejected", reason: "Unregistered")
        expect("unregistered records", evidence.unregistered.count, expected[dead] ?? 0)
        let unread = DemoEnding(verdict: "dropped", reason: "unparsable")
        expect("dead letters", evidence.deadLetters.count, expected[unread] ?? 0)
        checkOffsets(evidence)
    }

    private mutating func countOutcomes(_ evidence: DemoEvidence) {
        var published: [Position: Int64] = [:]
        for record in evidence.source {
            let position = Position(partition: record.partition, offset: record.offset)
            published[position] = record.timestamp ?? 0
        }
        for record in evidence.outcomes {
            guard let outcome = DemoOutcome(record.value) else {
                problems.append("unreadable outcome at offset \(record.offset)")
                continue
            }
            let position = Position(partition: outcome.partition, offset: outcome.offset)
            guard let time = published.removeValue(forKey: position) else {
                problems.append("a second outcome for \(position.partition)/\(position.offset)")
                continue
            }
            endings[outcome.ending, default: 0] += 1
            let latency = UInt64(max(0, (record.timestamp ?? time) - time))
            latencies.record(latency)
            if outcome.attempts <= 1 { firstAttempts.record(latency) }
        }
        for position in published.keys {
            problems.append("no outcome for \(position.partition)/\(position.offset)")
        }
    }

    private mutating func checkOffsets(_ evidence: DemoEvidence) {
        for committed in evidence.committed {
            let partition = committed.topicPartition.partition
            let count = evidence.source.count { $0.partition == partition }
            expect("committed offset of partition \(partition)", Int(committed.next ?? 0), count)
        }
    }

    private mutating func expect(_ what: String, _ found: Int, _ expected: Int) {
        if found != expected { problems.append("\(what): \(found), not \(expected)") }
    }
}
