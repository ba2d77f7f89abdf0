internal import Delivery
internal import Kafka
internal import Telemetry

/// The final report of the demonstration.
enum DemoReport {
    static func text(_ evidence: DemoEvidence, _ check: DemoCheck) -> String {
        var lines = ["", row("verdict", "reason", "notifications")]
        for (ending, count) in check.endings.sorted(by: { $0.key < $1.key }) {
            lines.append(row(ending.verdict, ending.reason ?? "", String(count)))
        }
        let total = check.endings.values.reduce(0, +)
        lines.append(row("", "", String(total)))
        lines.append("")
        let all = check.latencies
        let first = check.firstAttempts
        lines.append(
            "event to outcome: p50 \(all.quantile(0.5)) ms, p99 \(all.quantile(0.99)) ms"
                + " (first attempts only: p50 \(first.quantile(0.5)) ms,"
                + " p99 \(first.quantile(0.99)) ms)")
        let offsets = evidence.committed.map { committed in
            "\(committed.topicPartition.partition): \(committed.next ?? 0)"
        }
        let list = offsets.joined(separator: ", ")
        lines.append("committed offsets of group \(DemoWorld.group): \(list)")
        lines += record(DemoWorld.outcomes, evidence.outcomes.last)
        lines += record(DemoWorld.unregistered, evidence.unregistered.last)
        lines += record(DemoWorld.deadLetter, evidence.deadLetters.last)
        lines.append("")
        if check.problems.isEmpty {
            lines.append(
                "\(DemoEvents.count) events published, \(total) outcomes: the totals match.")
        } else {
            lines.append("The totals do NOT match:")
            lines += check.problems.prefix(20).map { "  " + $0 }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ verdict: String, _ reason: String, _ count: String) -> String {
        padded(verdict, 10) + padded(reason, 18)
            + String(repeating: " ", count: max(0, 13 - count.count)) + count
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func record(_ topic: String, _ record: StoredRecord?) -> [String] {
        guard let record else { return ["", "\(topic): empty"] }
        var lines = ["", "\(topic), partition \(record.partition), offset \(record.offset):"]
        lines.append("  key    \(text(record.key))")
        for header in record.headers { lines.append("  \(header.name): \(text(header.value))") }
        lines.append("  value  \(text(record.value))")
        return lines
    }

    private static func text(_ bytes: [UInt8]?) -> String {
        bytes.map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
