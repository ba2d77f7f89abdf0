/// One key of the connector file: what it is called, what it takes, and what it is for.
///
/// The loader, "did you mean" and the JSON Schema all read the same table of these.
struct ConnectorKey: Sendable {
    /// What a key's value must be.
    indirect enum Kind: Sendable {
        /// Any text but none at all.
        case text
        /// One of a few words; the second list is known but not there yet.
        case word([String], later: [String])
        /// `true` or `false`.
        case boolean
        /// A whole number.
        case integer(ClosedRange<Int>)
        /// One of a few whole numbers.
        case choice([Int])
        /// A number with or without a fraction.
        case number(ClosedRange<Double>)
        /// A count of bytes: `64MiB`, or a number.
        case bytes(ClosedRange<Int>)
        /// A length of time.
        case duration(ClosedRange<Duration>)
        /// So many in a time: `2000/s`.
        case rate
        /// A list of texts.
        case texts
        /// Names and texts, as librdkafka takes them.
        case properties
        /// Keys of its own.
        case block([ConnectorKey])
        /// Names, each with keys of its own; what is next to them stands for what they lack.
        case named([ConnectorKey])
        /// A template for each event: read by `Mapping`.
        case template
        /// What becomes a notification: read by `Mapping`.
        case notification
        /// A list of these, each with a condition: read by `Mapping`.
        case notifications
        /// What is done about what Apple would refuse: read by `Mapping`.
        case policy
        /// An event pattern: read by `Mapping`.
        case pattern
    }

    var name: String
    var kind: Kind
    /// One sentence for people.
    var summary: String
    var isRequired = false
    /// The keys each of which makes it dispensable; none for one that is always required.
    var substitutes: [String] = []
    /// A value that is fine, as it would be written.
    var example: String?
    /// The value that stands for a missing key, as it would be written.
    var standard: String?
    /// The name it once had, which is no longer accepted; nil if it never had another one.
    var formerName: String?

    init(
        _ name: String, _ kind: Kind, _ summary: String, isRequired: Bool = false,
        unless substitutes: String...,
        example: String? = nil, standard: String? = nil, formerly: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.summary = summary
        self.isRequired = isRequired
        self.substitutes = substitutes
        self.example = example
        self.standard = standard
        formerName = formerly
    }

}

extension ConnectorKey {
    /// The keys under this one; none for anything but a block.
    var keys: [ConnectorKey] {
        if case .block(let keys) = kind { keys } else { [] }
    }

    /// What must be written, as the end of "must be …".
    var expectation: String {
        switch kind {
        case .text, .template: "a string"
        case .word(let words, _): words.joined(separator: " or ")
        case .boolean: "a boolean"
        case .integer(let range):
            "a whole number, \(range.lowerBound) to \(range.upperBound)"
        case .choice(let numbers): numbers.map { "\($0)" }.joined(separator: " or ")
        case .number(let range): "a number, \(range.lowerBound) to \(range.upperBound)"
        case .bytes(let range):
            "a size, " + ByteCount.text(range.lowerBound) + " to "
                + ByteCount.text(range.upperBound)
        case .duration(let range):
            "a duration, " + DurationText.text(range.lowerBound) + " to "
                + DurationText.text(range.upperBound)
        case .rate: "a rate, 1/h to 1000000/s"
        case .texts: "a list of strings"
        case .properties: "a map of property names and values"
        case .notifications: "a list of blocks"
        case .block, .notification, .policy, .pattern: "a map"
        case .named: "a map of names"
        }
    }
}
