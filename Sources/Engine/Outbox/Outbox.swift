internal import Configuration
internal import Delivery
internal import EventLoop

/// The result records that Kafka is owed: pushes that have some to publish, in the order of their
/// verdicts, and pushes whose records were rejected.
struct Outbox: ~Copyable {
    /// How long to wait before a rejected record is published again.
    static let offerInterval = Duration.seconds(1)

    private var pushes: RingQueue
    private var refused = DeadlineQueue<PushID>()
    private var refusals = RefusalLog()
    private let outcomes: String
    /// The partition count of the outcomes topic; nil while unknown.
    private var outcomePartitions: Int? { didSet { last = nil } }
    /// The partition counts of the source topics, if known.
    private var sourcePartitions: [String: Int] = [:] { didSet { last = nil } }
    /// The topics that match a pattern of which partitions are assigned.
    private(set) var matchingTopics: Set<String> = []
    /// The last source partition that was looked up, and its outcomes partition.
    private var last: (source: TopicPartition, partition: Int32?)?

    init(_ settings: EngineSettings) {
        pushes = RingQueue(capacity: settings.maxInFlight)
        outcomes = settings.results.outcomes
    }

    /// Sets the topics that match a pattern of which partitions are assigned; what is known of
    /// others is discarded.
    mutating func follow(_ topics: Set<String>) {
        for gone in matchingTopics.subtracting(topics) { sourcePartitions[gone] = nil }
        matchingTopics = topics
    }

    /// Sets the partition count of a topic, nil when it is not known; true for another one of a
    /// source topic.
    mutating func setPartitionCount(_ count: Int?, of topic: String) -> Bool {
        guard topic != outcomes else {
            outcomePartitions = count
            return false
        }
        defer { sourcePartitions[topic] = count }
        return sourcePartitions[topic] != count
    }

    /// The partition count of a source topic; nil while unknown.
    func partitionCount(of topic: String) -> Int? { sourcePartitions[topic] }

    /// The outcomes partition with the source record's number, if the outcomes topic has at least
    /// as many partitions as the source topic; nil when the key decides.
    mutating func partition(of source: TopicPartition) -> Int32? {
        if let last, last.source == source { return last.partition }
        var partition: Int32?
        if let outcomes = outcomePartitions, let sources = sourcePartitions[source.topic],
            sources <= outcomes, source.partition < outcomes
        {
            partition = source.partition
        }
        last = (source, partition)
        return partition
    }

    /// The number of entries, including stale ones.
    var count: Int { pushes.count }

    /// The push whose records are published next; it may be done.
    func head() -> PushID? { pushes.first }

    mutating func append(_ id: PushID) { pushes.append(id) }

    /// Nothing of the first push is to be published any more.
    mutating func removeHead() { pushes.popFirst() }

    /// Nothing of a push is to be published any more.
    mutating func published(_ id: PushID) {
        if pushes.first == id { pushes.popFirst() }
    }

    /// Schedules a rejected record to be published again.
    mutating func refuse(_ id: PushID, now: Instant) {
        refused.add(now + Self.offerInterval, id)
    }

    /// Kafka has refused a record; returns what the log is to say.
    mutating func refused(
        _ kind: ResultKinds, of topic: String, _ failure: KafkaFailure, now: Instant
    ) -> Notice? { refusals.refused(kind, of: topic, failure, now: now) }

    /// Kafka has stored a record.
    mutating func stored(_ kind: ResultKinds) { refusals.stored(kind) }

    /// What the log is to say now of records that Kafka refuses.
    mutating func notices(now: Instant, hasOpenPushes: Bool) -> [Notice] {
        refusals.due(now: now, hasOpenPushes: hasOpenPushes)
    }

    /// When ``notices(now:hasOpenPushes:)`` looks again; nil when that does not depend on time.
    var nextLook: Instant? { refusals.nextLook }

    /// When the next rejected record is published again; nil when there is none.
    var nextOffer: Instant? { refused.next }

    /// A push whose rejected records are due; it may be done.
    mutating func popOffer(now: Instant) -> PushID? {
        refused.popExpired(at: now)?.item
    }
}
