/// Names one assignment of a partition to this member: a partition that leaves and comes back
/// has a new one, so that what belongs to the old one can be distinguished.
public struct AssignmentID: Hashable, Sendable, BitwiseCopyable {
    /// Counts from 0 for the life of a source and is never used again.
    public var number: Int

    /// Names an assignment by its number.
    public init(_ number: Int) { self.number = number }
}

/// A partition that this member may read from now on.
public struct AssignedPartition: Sendable {
    /// The number that its records will carry.
    public var id: AssignmentID
    /// Which partition it is.
    public var topicPartition: TopicPartition
    /// The offset that the group had committed; nil when there was none.
    public var committed: Int64?
    /// The text that was committed with it: see ``CompletedOffsets``.
    public var metadata: String
    /// Why it does not begin where the one before stood; nil when it does.
    public var reset: PositionReset?

    /// Describes an assignment.
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

/// What the group decided about this member's partitions.
public enum AssignmentChange: Sendable {
    /// Records of these partitions may come from now on.
    case assigned([AssignedPartition])
    /// These partitions are being revoked: finish, commit, call ``RecordSource/giveUp(_:)``.
    case revoking([AssignmentID])
    /// These partitions belong to somebody else already: commit nothing more for them.
    case lost([AssignmentID])
    /// The log behind an assignment is gone, and the partition is read again under another one.
    /// Nobody can read again what was taken of the old one: finish it, and commit nothing for it.
    case replaced(AssignmentID, by: AssignedPartition)
}

/// How far one partition has come.
public struct OffsetCommit: Equatable, Sendable {
    /// Which assignment it belongs to.
    public var assignment: AssignmentID
    /// The offset of the next record to read.
    public var next: Int64
    /// The completed offsets above it, as text.
    public var metadata: String

    /// Describes a commit of one partition.
    public init(assignment: AssignmentID, next: Int64, metadata: String) {
        self.assignment = assignment
        self.next = next
        self.metadata = metadata
    }
}

/// What became of a commit.
public struct CommitReport: Sendable {
    /// What was to be committed.
    public var commits: [OffsetCommit]
    /// Why Kafka refused it; nil when it did not.
    public var failure: KafkaFailure?

    /// Reports on a commit.
    public init(commits: [OffsetCommit], failure: KafkaFailure?) {
        self.commits = commits
        self.failure = failure
    }
}

/// Where records come from: Kafka in production, a seeded list in simulation.
///
/// The owner calls ``take(atMost:_:)`` at least once a second, even with a limit of 0, so that
/// the member stays in its group; then it asks for changes, reports and failures until there
/// are none. Nothing here waits, except ``close()``.
public protocol RecordSource: ~Copyable {
    /// Lends at most `limit` records that are already here, each for one call of `body`, and
    /// returns how many it took from the queue: when that is less than `limit`, it was empty.
    mutating func take(atMost limit: Int, _ body: (borrowing Record) -> Void) -> Int
    /// The next change of the assignment that the owner has not heard of. No record comes before
    /// its assignment was told here.
    mutating func nextChange() -> AssignmentChange?
    /// Gives back partitions that were being revoked. Commit first.
    mutating func giveUp(_ assignments: [AssignmentID])
    /// False while the group is rebalancing and a commit would come too late: ask again
    /// a little later.
    var mayCommit: Bool { mutating get }
    /// Starts to commit. The result comes as a ``CommitReport``.
    mutating func commit(_ commits: [OffsetCommit])
    /// The next result of a commit.
    mutating func nextCommitReport() -> CommitReport?
    /// The next failure that the owner has not heard of.
    mutating func nextFailure() -> KafkaFailure?
    /// Stops the flow from these partitions, until ``resume(_:)``.
    mutating func pause(_ assignments: [AssignmentID])
    /// Lets the records of these partitions flow again.
    mutating func resume(_ assignments: [AssignmentID])
    /// Leaves the group. Nothing may be called afterwards.
    mutating func close()
}
