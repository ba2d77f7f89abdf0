public import Delivery

/// What a group would read of partitions for which it has committed no offset.
public struct GroupBacklog: Equatable, Sendable {
    /// True when the group has committed no offset at all.
    public var isNew: Bool
    /// How many partitions have no offset.
    public var partitions: Int
    /// How many offsets their logs have: there may be fewer records.
    public var records: Int64
    /// The time of their oldest record, in milliseconds since 1970; nil if it is unknown.
    public var oldest: Int64?

    /// Describes a backlog.
    public init(isNew: Bool, partitions: Int, records: Int64, oldest: Int64? = nil) {
        self.isNew = isNew
        self.partitions = partitions
        self.records = records
        self.oldest = oldest
    }

    /// Asks what a group would read of topics from their beginning on.
    public static func read(
        properties: KafkaProperties, group: String, topics selection: TopicSelection,
        timeoutMilliseconds: Int = 10_000
    ) throws(KafkaFailure) -> GroupBacklog {
        let end = milliseconds() + timeoutMilliseconds
        let reader = try PartitionReader(properties: properties)
        let topics = try reader.names(
            of: selection, timeoutMilliseconds: timeoutMilliseconds)
        let committed = try CommittedOffsets.read(
            properties: properties, group: group,
            partitions: try reader.partitions(of: topics, timeoutMilliseconds: timeoutMilliseconds),
            timeoutMilliseconds: max(1, end - milliseconds()))
        let missing = Set(committed.filter { $0.next == nil }.map(\.topicPartition))
        let isNew = missing.count == committed.count
        guard !missing.isEmpty else {
            return GroupBacklog(isNew: isNew, partitions: 0, records: 0)
        }
        let spans = try reader.logs(
            of: topics, timeoutMilliseconds: max(1, end - milliseconds())
        ).filter { missing.contains($0.partition) && $0.start < $0.end }
        let firsts = try? PartitionReader.firstRecords(
            of: spans, properties: properties, timeoutMilliseconds: max(1, end - milliseconds()))
        return GroupBacklog(
            isNew: isNew, partitions: missing.count,
            records: spans.offsetCount,
            oldest: firsts?.values.compactMap(\.timestamp).min())
    }
}
