public import Kafka
public import Mapping

/// The `source:` block: the events that a connector reads, and its consumer group.
public struct SourceSettings: Equatable, Sendable {
    /// The format of the record values.
    public enum Format: String, CaseIterable, Sendable {
        /// JSON text.
        case json
        /// CloudEvents 1.0 in JSON, or with their attributes in headers.
        case cloudevents
        /// Records in Avro, each with the ID of its schema.
        case avro
        /// Records in Protobuf, each with the ID of its schema.
        case protobuf

        /// What values are in whose schemas are in a registry; nil for those without.
        public var encoding: SchemaEncoding? {
            switch self {
            case .json, .cloudevents: nil
            case .avro: .avro
            case .protobuf: .protobuf
            }
        }
    }

    /// Where a group starts in the partitions that a topic has when it begins to read it.
    public enum Start: String, CaseIterable, Sendable {
        /// At the oldest record that Kafka still has.
        case earliest
        /// At the next new record.
        case latest
    }

    /// What a group does that has committed nothing, when its topics hold records.
    public enum NewGroup: String, CaseIterable, Sendable {
        /// It begins.
        case begin
        /// It waits until an operator confirms that it shall.
        case confirm
    }

    /// The topics to read; at least one name or pattern, without duplicates.
    public var topics: TopicSelection
    /// The consumer group.
    public var group: String
    /// The format of the record values.
    public var format: Format
    /// The format of the record keys; nil when they are only text.
    public var keyFormat: Format?
    /// Where a group starts in the partitions that a topic has when it begins to read it.
    public var start: Start
    /// What a group does that has committed nothing, when its topics hold records.
    public var newGroup: NewGroup
    /// The topic that `apns-bridge replay` writes dead letters to; nil for none.
    public var replay: String?

    /// Creates the settings.
    public init(
        topics: TopicSelection, group: String, format: Format = .json, keyFormat: Format? = nil,
        start: Start = .earliest, newGroup: NewGroup = .begin, replay: String? = nil
    ) {
        self.topics = topics
        self.group = group
        self.format = format
        self.keyFormat = keyFormat
        self.start = start
        self.newGroup = newGroup
        self.replay = replay
    }

    /// The topics that are listed by name.
    public var topicNames: [String] { topics.names }
    /// The first of them, for events that name no topic; `-` when there are only patterns.
    public var firstTopic: String { topics.names.first ?? "-" }
    /// True when it also reads the topics that match a pattern.
    public var hasPatterns: Bool { !topics.patterns.isEmpty }
}
