/// Identifies one assignment of a partition to this member: a partition that is revoked and
/// assigned again gets a new ID, which distinguishes it from the old assignment.
public struct AssignmentID: Hashable, Sendable, BitwiseCopyable {
    /// Counts from 0 for the life of a source and is never reused.
    public var number: Int

    /// Creates an ID.
    public init(_ number: Int) { self.number = number }
}

/// A partition newly assigned to this member.
public struct AssignedPartition: Sendable {
    /// The ID that its records will have.
    public var id: AssignmentID
    /// The partition.
    public var topicPartition: TopicPartition
    /// The group's committed offset; nil when there was none.
    public var committed: Int64?
    /// The metadata string committed with it: see ``CompletedOffsets``.
    public var metadata: String
    /// Why it does not start at the previous position; nil when it does.
    public var reset: PositionReset?
    /// The number of partitions that its topic had when the group began to read it; nil if that is
    /// unknown: see ``FirstPartitions``.
    public var partitionCount: Int?
    /// True when it was added to its topic later, and the group begins to read it now, from its
    /// beginning.
    public var isAdded = false
    /// True when this source has committed that offset itself: no other member has read the
    /// partition since.
    public var isOwn = false

    /// Creates an assigned partition.
    public init(
        id: AssignmentID, topicPartition: TopicPartition, committed: Int64?, metadata: String,
        reset: PositionReset? = nil
    ) {
        self.id = id
        self.topicPartition = topicPartition
        self.committed = committed
        self.metadata = metadata
        self.reset = reset
    }
}

/// A change of this member's assignment.
public enum AssignmentChange: Sendable {
    /// Records may now come from these partitions.
    case assigned([AssignedPartition])
    /// These partitions are being revoked: finish, commit, call ``RecordSource/release(_:)``.
    case revoking([AssignmentID])
    /// These partitions already belong to other members: commit nothing more for them.
    case lost([AssignmentID])
    /// The log of an assignment is gone, and the partition is read again under another one. Records
    /// taken from the old log cannot be read again: finish them, and commit nothing for it.
    case replaced(AssignmentID, by: AssignedPartition)
}

/// A position to commit for one partition.
public struct OffsetCommit: Equatable, Sendable {
    /// The assignment that it belongs to.
    public var assignment: AssignmentID
    /// The offset of the next record to read.
    public var next: Int64
    /// The completed offsets above it, encoded as a string.
    public var metadata: String

    /// Creates a commit for one partition.
    public init(assignment: AssignmentID, next: Int64, metadata: String) {
        self.assignment = assignment
        self.next = next
        self.metadata = metadata
    }
}

/// The result of a commit.
public struct CommitReport: Sendable {
    /// The positions to be committed.
    public var commits: [OffsetCommit]
    /// Why Kafka rejected it; nil on success.
    public var failure: KafkaFailure?

    /// Creates a report.
    public init(commits: [OffsetCommit], failure: KafkaFailure?) {
        self.commits = commits
        self.failure = failure
    }
}

/// A source of records: Kafka in production, a seeded list in simulation.
///
/// The owner calls ``take(atMost:_:)`` at least once a second, even with a limit of 0, so that the
/// member stays in its group; then it takes changes, reports and failures until there are none.
/// While the limit is 0, changes may be delayed: an owner that takes no records for long pauses the
/// partitions and asks for some. Nothing here blocks, except ``close()``.
public protocol RecordSource: ~Copyable {
    /// Calls `body` with each of at most `limit` fetched records, and returns how many it took from
    /// the queue: if less than `limit`, the queue was empty.
    mutating func take(atMost limit: Int, _ body: (borrowing Record) -> Void) -> Int
    /// The same, but stops after a record when `mayContinue` returns false: further records may
    /// follow. While records that were fetched wait for the next call, there are no changes.
    mutating func take(
        atMost limit: Int, while mayContinue: () -> Bool, _ body: (borrowing Record) -> Void
    ) -> Int
    /// The next assignment change that the owner has not seen. No record comes before its
    /// assignment was returned here.
    mutating func nextChange() -> AssignmentChange?
    /// Gives up partitions that are being revoked. Commit first.
    mutating func release(_ assignments: [AssignmentID])
    /// False while the group is rebalancing and a commit would come too late: try again a little
    /// later.
    var mayCommit: Bool { mutating get }
    /// Starts to commit. The result is reported as a ``CommitReport``.
    mutating func commit(_ commits: [OffsetCommit])
    /// The next commit result.
    mutating func nextCommitReport() -> CommitReport?
    /// The next failure that the owner has not seen.
    mutating func nextFailure() -> KafkaFailure?
    /// The outage of Kafka that lasts; nil while a broker can be reached.
    var outage: KafkaOutage? { get }
    /// How many records were fetched and wait to be taken, about.
    var queuedRecords: Int { get }
    /// The offset after the last record of a partition, as far as it is known.
    func end(of assignment: AssignmentID) -> Int64?
    /// Pauses these partitions, until ``resume(_:)``.
    mutating func pause(_ assignments: [AssignmentID])
    /// Resumes these partitions.
    mutating func resume(_ assignments: [AssignmentID])
    /// True for a topic whose partitions were lost because it was deleted.
    func wasDeleted(_ topic: String) -> Bool
    /// True while no topic of the source exists: the group assigns nothing before one is created.
    var awaitsTopics: Bool { get }
    /// Leaves the group. Do not use the source afterwards. Returns false when the group could not
    /// be notified in time, so that it waits one session timeout for this member.
    @discardableResult
    mutating func close() -> Bool
}

extension RecordSource where Self: ~Copyable {
    /// A source whose topics are never deleted knows no other.
    public func wasDeleted(_ topic: String) -> Bool { false }

    /// A source whose topics exist awaits none.
    public var awaitsTopics: Bool { false }

    /// A source that passes on one record at a time need not know more.
    public mutating func take(
        atMost limit: Int, while mayContinue: () -> Bool, _ body: (borrowing Record) -> Void
    ) -> Int {
        guard limit > 0 else { return take(atMost: limit, body) }
        var taken = 0
        while taken < limit, take(atMost: 1, body) == 1 {
            taken += 1
            if !mayContinue() { break }
        }
        return taken
    }

    /// A source that fetches nothing ahead has none.
    public var queuedRecords: Int { 0 }
}

/// A time in which no broker of a Kafka cluster can be reached.
public struct KafkaOutage: Equatable, Sendable {
    /// The number of brokers that are known, none of which is connected.
    public var brokers: Int
    /// Why the last connection failed; empty when nothing is known about it.
    public var detail: String

    /// Describes an outage.
    public init(brokers: Int, detail: String) {
        self.brokers = brokers
        self.detail = detail
    }
}
