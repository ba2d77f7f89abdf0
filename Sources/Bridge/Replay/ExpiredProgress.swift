internal import Delivery
internal import Kafka

/// Partitions whose dead letters may have been replayed before, although nothing is recorded of
/// that.
///
/// Nobody joins the group of a replay, so Kafka drops its offsets some time after the last commit.
/// What is older than that may have been replayed; what is younger has not, because the offsets
/// would still be there.
struct ExpiredProgress {
    /// The partitions.
    var spans: [PartitionReader.Span]
    /// When the oldest of their dead letters was written, in milliseconds since 1970.
    var oldest: Int64
    /// How long Kafka keeps offsets, in milliseconds.
    var kept: Int64

    /// Looks at the oldest dead letter of partitions without offsets; nil when none is too old.
    init?(
        _ unknown: [PartitionReader.Span], _ properties: KafkaProperties,
        _ offsets: borrowing GroupOffsets, now: Int64
    ) throws(KafkaFailure) {
        guard !unknown.isEmpty else { return nil }
        let kept = offsets.retention() ?? TopicCreation.defaultRetention
        let first = try PartitionReader.firstRecords(of: unknown, properties: properties)
        func time(_ span: PartitionReader.Span) -> Int64 {
            first[span.partition]?.timestamp ?? .max
        }
        spans = unknown.filter { time($0) < now - kept }
        oldest = spans.map(time).min() ?? .max
        self.kept = kept
        if spans.isEmpty { return nil }
    }
}
