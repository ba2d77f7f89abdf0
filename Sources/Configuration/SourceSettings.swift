/// The `source:` block: which events a connector reads, and as which group.
public struct SourceSettings: Equatable, Sendable {
    /// How the values of the records are written.
    public enum Format: String, CaseIterable, Sendable {
        /// JSON text.
        case json
        /// CloudEvents 1.0 in JSON, or with their attributes in headers.
        case cloudevents
    }

    /// Where a group begins that has no committed offset.
    public enum Start: String, CaseIterable, Sendable {
        /// With the oldest record that Kafka still has.
        case earliest
        /// With the records that come from now on.
        case latest
    }

    /// The topics to read; at least one, none twice.
    public var topics: [String]
    /// The consumer group.
    public var group: String
    /// How the values of the records are written.
    public var format: Format
    /// Where a group begins that has no committed offset.
    public var start: Start

    /// Describes a source.
    public init(
        topics: [String], group: String, format: Format = .json, start: Start = .earliest
    ) {
        self.topics = topics
        self.group = group
        self.format = format
        self.start = start
    }
}
