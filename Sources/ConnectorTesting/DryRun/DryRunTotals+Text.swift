internal import Delivery
internal import JSON
internal import Kafka
internal import Spelling

/// The totals for people and for programs.
extension DryRunTotals {
    /// A few lines.
    public var text: String {
        var lines = [
            "\(connector): \(Self.grouped(records)) \(records == 1 ? "record" : "records") read"
                + " from \(Self.topics(spans))" + (wasStopped ? ", stopped before the end" : "")
        ]
        lines.append(Self.row("would send", sentCount, Self.parts(sent)))
        lines.append(Self.row("would drop", droppedCount, Self.parts(dropped)))
        if filtered > 0 { lines.append(Self.row("skipped", filtered, "")) }
        if alreadyDone > 0 { lines.append(Self.row("already done", alreadyDone, "")) }
        if sentCount > 0 {
            lines.append(
                "  payloads      \(Self.grouped(smallest)) to \(Self.grouped(largest)) bytes,"
                    + " \(Self.grouped(bytes / sentCount)) on average")
            for (bound, count) in zip(Self.bounds, sizes) where count > 0 {
                lines.append(Self.row("  <= \(bound)", count, ""))
            }
        }
        if records == 0, !spans.isEmpty {
            lines.append("  There was nothing to read: --from-beginning reads all.")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func topics(_ spans: [PartitionReader.Span]) -> String {
        guard !spans.isEmpty else { return "no topic: none matches source.topics for now" }
        var topics: [String] = []
        for span in spans where !topics.contains(span.partition.topic) {
            topics.append(span.partition.topic)
        }
        return topics.joined(separator: ", ")
            + " (\(Plural.counted(spans.count, "partition")))"
    }

    private static func row(_ name: String, _ count: Int, _ remark: String) -> String {
        let number = grouped(count)
        let gap = String(repeating: " ", count: max(1, 16 - name.count - 2))
        let start = "  " + name + gap + String(repeating: " ", count: max(0, 9 - number.count))
        return start + number + (remark.isEmpty ? "" : "   " + remark)
    }

    private static func parts(_ counts: [String: Int]) -> String {
        sorted(counts).map { "\($0.key) \(grouped($0.value))" }.joined(separator: ", ")
    }

    private static func sorted(_ counts: [String: Int]) -> [(key: String, value: Int)] {
        counts.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
    }

    /// A number with a comma between thousands.
    private static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }

    /// One JSON object, without a newline.
    public func json() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("connector")
        writer.string(connector)
        writer.name("complete")
        writer.boolean(!wasStopped)
        for (name, number) in [
            ("records", records), ("filtered", filtered), ("already_done", alreadyDone),
            ("send", sentCount), ("drop", droppedCount),
        ] {
            writer.name(name)
            writer.integer(number)
        }
        for (name, counts) in [("send_by_push_type", sent), ("drop_by_reason", dropped)] {
            writer.name(name)
            writer.beginObject()
            for (key, count) in Self.sorted(counts) {
                writer.name(key)
                writer.integer(count)
            }
            writer.endObject()
        }
        writeSizes(to: &writer)
        writeSpans(to: &writer)
        writer.endObject()
        return writer.bytes
    }

    private func writeSizes(to writer: inout JSONWriter) {
        writer.name("payload_bytes")
        writer.beginObject()
        for (name, number) in [
            ("total", bytes), ("smallest", sentCount > 0 ? smallest : 0), ("largest", largest),
        ] {
            writer.name(name)
            writer.integer(number)
        }
        writer.name("up_to")
        writer.beginObject()
        for (bound, count) in zip(Self.bounds, sizes) {
            writer.name("\(bound)")
            writer.integer(count)
        }
        writer.endObject()
        writer.endObject()
    }

    private func writeSpans(to writer: inout JSONWriter) {
        writer.name("partitions")
        writer.beginArray()
        for span in spans {
            writer.beginObject()
            writer.name("topic")
            writer.string(span.partition.topic)
            for (name, number) in [
                ("partition", Int(span.partition.partition)), ("start", Int(span.start)),
                ("end", Int(span.end)),
            ] {
                writer.name(name)
                writer.integer(number)
            }
            writer.endObject()
        }
        writer.endArray()
    }
}
