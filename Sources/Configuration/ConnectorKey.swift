/// A key of the connector file: its name, its values, and its purpose.
///
/// The loader, "did you mean" and the JSON Schema all use the same table of keys.
struct ConnectorKey: Sendable {
    /// The type of a key's value.
    indirect enum Kind: Sendable {
        /// A non-empty string.
        case text
        /// One of a few words; those in the second list are known but not supported yet.
        case word([String], later: [String])
        /// `true` or `false`.
        case boolean
        /// An integer.
        case integer(ClosedRange<Int>)
        /// An integer, or `auto`.
        case automatic(ClosedRange<Int>)
        /// One of a few integers.
        case choice([Int])
        /// A number with or without a fraction.
        case number(ClosedRange<Double>)
        /// A size in bytes: `64MiB`, or a number.
        case bytes(ClosedRange<Int>)
        /// A duration.
        case duration(ClosedRange<Duration>)
        /// A number per unit of time: `2000/s`.
        case rate
        /// A list of strings.
        case texts
        /// Names and strings, as in librdkafka's configuration.
        case properties
        /// A block of keys.
        case block([ConnectorKey])
        /// Named blocks of keys; keys next to them are their defaults.
        case named([ConnectorKey])
        /// A template that is evaluated for each event: read by `Mapping`.
        case template
        /// Names, and templates that are evaluated for each event: read by `Mapping`.
        case templates
        /// A notification block: read by `Mapping`.
        case notification
        /// A list of notification blocks, each with a condition: read by `Mapping`.
        case notifications
        /// How to handle values that APNs would reject: read by `Mapping`.
        case policy
        /// An event pattern: read by `Mapping`.
        case pattern
    }

    var name: String
    var kind: Kind
    /// A one-sentence description.
    var summary: String
    var isRequired = false
    /// The keys that each make it optional; none for one that is always required.
    var substitutes: [String] = []
    /// A valid example, as written in a file.
    var example: String?
    /// The default value, as written in a file.
    var standard: String?
    /// Its former name, which is no longer accepted; nil if it was never renamed.
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
    /// The keys of a block; empty for anything else.
    var keys: [ConnectorKey] {
        if case .block(let keys) = kind { keys } else { [] }
    }

    /// The required value, as the end of "must be …".
    var expectation: String {
        switch kind {
        case .text, .template: "a string"
        case .word(let words, _): words.joined(separator: " or ")
        case .boolean: "a boolean"
        case .integer(let range):
            "a whole number, \(range.lowerBound) to \(range.upperBound)"
        case .automatic(let range):
            "auto, or a whole number, \(range.lowerBound) to \(range.upperBound)"
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
        case .templates: "a map of names and templates"
        case .notifications: "a list of blocks"
        case .block, .notification, .policy, .pattern: "a map"
        case .named: "a map of names"
        }
    }
}
