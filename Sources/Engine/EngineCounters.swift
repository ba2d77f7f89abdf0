/// What a worker has done since it started. Only ``add(_:_:)`` counts.
public struct EngineCounters: Equatable, Sendable {
    /// Records taken from Kafka.
    public var records = 0
    /// Records that `when` filtered out.
    public var filtered = 0
    /// Elements of the lists of `for_each` that match no block, of records of which others do.
    public var skippedElements = 0
    /// Records that an earlier worker had recorded as done in the commit metadata.
    public var alreadyDone = 0
    /// Records without a time, for which the current time was used.
    public var withoutTime = 0
    /// Notifications made from records.
    public var pushes = 0
    /// Requests handed to a connection.
    public var attempts = 0
    /// Notifications that APNs accepted.
    public var accepted = 0
    /// Notifications that APNs rejected permanently.
    public var rejected = 0
    /// Notifications that were dropped.
    public var dropped = 0
    /// Notifications that were sent and may or may not have arrived.
    public var unknown = 0
    /// How often a notification waited for a retry.
    public var retries = 0
    /// How often a notification was written to the retry topic.
    public var movedToRetryTopic = 0
    /// Notifications that Kafka has stored in the retry topic.
    public var storedInRetryTopic = 0
    /// Records taken from the retry topic.
    public var takenFromRetryTopic = 0
    /// Records taken from the replay topic.
    public var takenFromReplayTopic = 0
    /// Result records that Kafka has acknowledged.
    public var resultsStored = 0
    /// Result records that Kafka rejected, counted each time.
    public var resultsRefused = 0
    /// Committed offsets, counted per partition and commit.
    public var commits = 0
    /// Commits of a partition's offset that Kafka did not accept.
    public var commitFailures = 0
    /// Dead letters that Kafka has stored.
    public var deadLetters = 0
    /// Requests that may have arrived and got no response.
    public var doubts = 0
    /// How often the group has assigned partitions, of which there may be none.
    public var assignments = 0
    /// How often the group has revoked partitions.
    public var revocations = 0
    /// How often partitions were lost without having been revoked.
    public var losses = 0
    /// How often the log of a partition being read was deleted or replaced.
    public var positionResets = 0
    /// Offsets that Kafka removed before they were read, if Kafka reports them.
    public var recordsGone = 0
    /// Starts of partitions whose last three starts made no progress.
    public var crashedStarts = 0
    /// Responses that are not in the table of reasons.
    public var newResponses = 0

    /// Responses and acknowledgements that came after their push was done and were ignored.
    public var lateReferences = 0

    /// Creates counters that are all zero.
    public init() {}

    /// All counters. A test finds one that is missing.
    static let all: [any WritableKeyPath<EngineCounters, Int> & Sendable] = [
        \.records, \.filtered, \.skippedElements, \.alreadyDone, \.withoutTime, \.pushes,
        \.attempts, \.accepted, \.rejected, \.dropped, \.unknown, \.retries, \.movedToRetryTopic,
        \.storedInRetryTopic, \.takenFromRetryTopic, \.takenFromReplayTopic, \.resultsStored,
        \.resultsRefused, \.commits, \.commitFailures, \.deadLetters, \.doubts, \.assignments,
        \.revocations, \.losses, \.positionResets, \.recordsGone, \.crashedStarts, \.newResponses,
        \.lateReferences,
    ]

    /// Adds to a counter; optimised code reads and writes its field directly.
    @inline(__always)
    mutating func add(_ counter: WritableKeyPath<EngineCounters, Int>, _ count: Int = 1) {
        self[keyPath: counter] += count
    }

    /// Adds the totals of another worker.
    public mutating func add(_ other: EngineCounters) {
        for counter in Self.all { self[keyPath: counter] += other[keyPath: counter] }
    }
}
