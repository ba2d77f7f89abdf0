/// The library's log lines that have been seen: its threads repeat them for each broker and
/// attempt.
public struct LibraryLines: Sendable {
    private static let limit = 512

    private var seen: Set<String> = []

    /// Creates an empty set.
    public init() {}

    /// True for a line that has not been seen, and for those that the user asked for with `debug`.
    public mutating func isNew(_ line: KafkaLog) -> Bool {
        guard line.level < 7 else { return true }
        if seen.count >= Self.limit { seen.removeAll() }
        return seen.insert("\(line.facility) \(line.plainMessage)").inserted
    }
}

extension KafkaLog {
    /// The text without the library's thread and its internal terms, which vary although the
    /// event is the same.
    public var plainMessage: String {
        var text = message
        if text.hasPrefix("[thrd:"), let end = text.firstRange(of: "]: ") {
            text = String(text[end.upperBound...])
        }
        return readableMessage(text)
    }
}
