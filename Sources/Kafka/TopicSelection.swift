/// Which topics a group reads: those with these names, and all whose names match one of these
/// patterns, also when they are created later.
public struct TopicSelection: Equatable, Sendable, ExpressibleByArrayLiteral {
    /// Names and patterns as written; a pattern begins with `^`.
    public let entries: [String]
    /// The names.
    public let names: [String]
    /// The patterns; one that is not valid matches nothing.
    public let patterns: [TopicPattern]

    /// Creates a selection of names and patterns.
    public init(_ entries: [String]) {
        self.entries = entries
        names = entries.filter { !TopicPattern.isPattern($0) }
        patterns = entries.filter(TopicPattern.isPattern).compactMap { try? TopicPattern($0) }
    }

    /// Creates a selection of names and patterns.
    public init(arrayLiteral entries: String...) { self.init(entries) }

    /// Selects these topics as well.
    public func adding(_ names: [String]) -> Self { Self(entries + names) }

    /// True when both are written alike.
    public static func == (one: Self, other: Self) -> Bool { one.entries == other.entries }

    /// True for a topic that is selected.
    public func matches(_ topic: String) -> Bool {
        names.contains(topic) || pattern(of: topic) != nil
    }

    /// The first pattern that a topic matches; nil for one that is listed by name.
    public func pattern(of topic: String) -> TopicPattern? {
        names.contains(topic) ? nil : patterns.first { $0.matches(topic) }
    }

    /// Those of these topics that are selected by a pattern and not by name, in alphabetical order.
    public func matching(_ topics: some Sequence<String>) -> [String] {
        guard !patterns.isEmpty else { return [] }
        return topics.filter { pattern(of: $0) != nil }.sorted()
    }

    /// A name or pattern of this selection of which another one has topics, too, as far as that can
    /// be known without knowing all topics; nil for none.
    public func shared(with other: Self) -> String? {
        names.first { other.matches($0) }
            ?? patterns.first { pattern in
                other.names.contains(where: pattern.matches)
                    || other.patterns.contains { $0.text == pattern.text }
            }?.text
    }
}
