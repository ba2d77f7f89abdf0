/// What a worker has done since it started.
public struct EngineCounters: Equatable, Sendable {
    /// Records taken from Kafka.
    public var records = 0
    /// Records that `when` left out.
    public var filtered = 0
    /// Records of which an earlier worker had left word that they were done.
    public var alreadyDone = 0
    /// Records of which nobody said when they happened, so that the time of now stood in.
    public var withoutTime = 0
    /// Requests handed to a connection.
    public var attempts = 0
    /// Notifications that Apple took.
    public var accepted = 0
    /// Notifications that Apple refused for good.
    public var rejected = 0
    /// Notifications that were not sent, or not any more.
    public var dropped = 0
    /// Notifications that were sent and of which nothing more is known.
    public var unknown = 0
    /// Notifications that waited to be sent again, each time.
    public var retries = 0
    /// Notifications that were written to the retry topic, each time.
    public var movedToRetryTopic = 0
    /// Records taken from the retry topic.
    public var takenFromRetryTopic = 0
    /// Result records that Kafka has acknowledged.
    public var resultsStored = 0
    /// Result records that Kafka refused, each time.
    public var resultsRefused = 0
    /// Offsets that Kafka has taken, one for each partition and commit.
    public var commits = 0
    /// How often Kafka no longer had the log of a partition that was being read.
    public var positionResets = 0
    /// Offsets that Kafka removed before they were read, as far as it lets us know.
    public var recordsGone = 0
    /// Answers of APNs that are not in the table of reasons.
    public var newResponses = 0

    /// Responses and acknowledgements that came after their push was done, and changed nothing.
    public var lateReferences = 0

    /// Nothing done yet.
    public init() {}

    /// Counts what another worker has done too.
    public mutating func add(_ other: EngineCounters) {
        records += other.records
        filtered += other.filtered
        alreadyDone += other.alreadyDone
        withoutTime += other.withoutTime
        attempts += other.attempts
        accepted += other.accepted
        rejected += other.rejected
        dropped += other.dropped
        unknown += other.unknown
        retries += other.retries
        movedToRetryTopic += other.movedToRetryTopic
        takenFromRetryTopic += other.takenFromRetryTopic
        resultsStored += other.resultsStored
        resultsRefused += other.resultsRefused
        commits += other.commits
        positionResets += other.positionResets
        recordsGone += other.recordsGone
        newResponses += other.newResponses
        lateReferences += other.lateReferences
    }
}
