public import Configuration
public import Delivery
internal import Kafka
internal import KafkaLogin
internal import SchemaRegistry

/// Reads a connector's topics and counts what would be sent; it joins no group, sends nothing and
/// commits nothing.
public struct DryRun: ~Copyable {
    /// Where reading begins.
    public enum Start: Equatable, Sendable {
        /// Where the connector's group would continue: at its committed offsets, or where
        /// `source.start` says.
        case committed
        /// At the beginning of the topics.
        case beginning
    }

    /// What was read and what would become of it.
    public private(set) var totals: DryRunTotals
    private var reader: PartitionReader
    private var renderer: RecordRenderer
    private let done: [TopicPartition: CompletedOffsets]

    /// Determines what to read. Unless it `follows`, it ends where the topics end now.
    public init(
        _ connector: Connector, clusterID: String, from start: Start, follows: Bool
    ) throws(KafkaFailure) {
        let properties = connector.kafkaProperties
        var reader = try PartitionReader(properties: properties)
        let topics = connector.source.topics
        var spans = try reader.logs(of: try reader.names(of: topics))
        var done: [TopicPartition: CompletedOffsets] = [:]
        if start == .committed {
            let committed = try CommittedOffsets.read(
                properties: properties, group: connector.source.group,
                partitions: spans.map(\.partition))
            let counts = Self.firstCounts(committed)
            let begun = Self.begunPatterns(committed, topics)
            for (index, location) in committed.enumerated() {
                let partition = location.topicPartition
                let isAdded =
                    Self.hasAppeared(partition.topic, begun, topics)
                    || partition.partition >= counts[partition.topic] ?? .max
                spans[index] = Self.span(
                    spans[index], location, isAdded ? .earliest : connector.source.start)
                if let next = location.next, next == spans[index].start {
                    done[location.topicPartition] = CompletedOffsets(
                        text: location.metadata, from: next)
                }
            }
        }
        try reader.begin(spans, follows: follows)
        self.reader = reader
        self.done = done
        renderer = RecordRenderer(
            plan: connector.plan, clusterID: clusterID, group: connector.source.group,
            explains: false, schemas: connector.schemaRegistry.map { SchemaRegistry($0) })
        totals = DryRunTotals(connector: connector.name, spans: spans)
    }

    /// How many partitions each topic had when the group began to read it; a partition that was
    /// added later is read from its beginning.
    static func firstCounts(_ committed: [CommittedOffset]) -> [String: Int32] {
        Dictionary(grouping: committed, by: \.topicPartition.topic).mapValues { locations in
            var known: [Int32: String] = [:]
            for location in locations where location.next != nil {
                known[location.topicPartition.partition] = location.metadata
            }
            return Int32(FirstPartitions.count(committed: known, now: locations.count))
        }
    }

    /// The patterns with a topic of which the group has an offset.
    static func begunPatterns(
        _ committed: [CommittedOffset], _ topics: TopicSelection
    ) -> Set<String> {
        let known = Set(committed.filter { $0.next != nil }.map(\.topicPartition.topic))
        return Set(known.compactMap { topics.pattern(of: $0)?.text })
    }

    /// True for a topic that matches a pattern with which the group has begun already: where it
    /// lacks an offset, the group reads it from its beginning.
    static func hasAppeared(
        _ topic: String, _ begun: Set<String>, _ topics: TopicSelection
    ) -> Bool {
        topics.pattern(of: topic).map { begun.contains($0.text) } ?? false
    }

    /// What the group would read of a log.
    static func span(
        _ log: PartitionReader.Span, _ committed: CommittedOffset, _ start: SourceSettings.Start
    ) -> PartitionReader.Span {
        var span = log
        if let next = committed.next {
            // Retention may have removed the offset, or the topic may have been recreated.
            span.start = next > log.end ? log.start : max(next, log.start)
        } else if start == .latest {
            span.start = log.end
        }
        return span
    }

    /// Reads on for about a tenth of a second; false once the end is reached. `now` is in
    /// milliseconds since 1970.
    public mutating func step(now: Int64) throws(KafkaFailure) -> Bool {
        var records: [(TopicPartition, StoredRecord)] = []
        let isGoingOn = try reader.read { records.append(($0, $1)) }
        for (partition, stored) in records {
            if done[partition]?.contains(stored.offset) == true {
                totals.countDone()
                continue
            }
            let record = Record.owning(
                assignment: AssignmentID(1), topicPartition: partition, offset: stored.offset,
                timestamp: stored.timestamp, key: stored.key, value: stored.value,
                headers: stored.headers)
            do throws(SchemaFailure) {
                try renderer.lookUpSchema(of: record)
            } catch {
                throw KafkaFailure(
                    code: "SCHEMA_REGISTRY", operation: "read \(partition.topic)",
                    detail: error.description)
            }
            totals.count(renderer.render(record, now: now))
        }
        return isGoingOn
    }
}
