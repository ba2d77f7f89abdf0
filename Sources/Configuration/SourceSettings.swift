/// The `source:` block: which events a connector reads, and as which group.
public struct SourceSettings: Equatable, Sendable {
    /// The format of the record values.
    public enum Format: String, CaseIterable, Sendable {
        /// JSON text.
        case json
        /// CloudEvents 1.0 in JSON, or with their attributes in headers.
        case cloudevents
    }

    /// Where to start a partition that has no committed offset.
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
    /// The format of the record values.
    public var format: Format
    /// Where to start a partition that has no committed offset.
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
