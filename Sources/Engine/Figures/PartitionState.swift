public import Delivery

/// The state of an assigned partition.
public struct PartitionState: Equatable, Sendable {
    /// Why no records are taken from a partition.
    public enum Pause: String, CaseIterable, Sendable {
        /// An operator has paused the connector.
        case `operator`
        /// The wall clock is in doubt, so that nobody knows what has expired.
        case clock
        /// No more records may be in flight, or no more pushes may wait to be sent.
        case windowFull = "window_full"
        /// Too many of its pushes wait for an app for which sending is suspended.
        case suspendedApp = "suspended_app"
        /// The room for records that wait outside the window is used up.
        case noRoomToWait = "no_room_to_wait"
        /// It belongs to the retry topic, and its next record is not due.
        case notDue = "not_due"
        /// What is done above its committed offset would no longer fit into a commit.
        case noRoomInCommit = "no_room_in_commit"
        /// Too much of it is done and not committed.
        case uncommitted
        /// Few of its records may be open after starts without progress, or one of another
        /// partition is alone.
        case oneAtATime = "one_at_a_time"
        /// The schema of one of its records is not known yet.
        case schema
        /// It was revoked: what is in flight is finished, and then it is handed over.
        case revoked
        /// Its log was deleted or truncated: what was taken from the old one is finished.
        case replaced
    }

    /// Its topic and number.
    public var topicPartition: TopicPartition
    /// True for a partition of the retry topic.
    public var isRetry = false
    /// The offsets from its first record that is not done to the end of its log; nil while that is
    /// not known.
    public var lag: Int64?
    /// The offsets from the next record to take to the end of its log; nil while that is not known,
    /// and for the retry topic, whose records are not taken before they are due.
    public var unread: Int64?
    /// The number of records taken and not done.
    public var openRecords = 0
    /// The offset of its first record that is not done; nil while that is not known.
    public var next: Int64?
    /// The age in milliseconds of its oldest event with a push that is not done, determined about
    /// once a second; nil when there is none.
    public var oldestEventAge: Int64?
    /// Why it is paused; empty while it is not.
    public var pauses: [Pause] = []

    /// Describes a partition that is up to date.
    public init(_ topicPartition: TopicPartition) { self.topicPartition = topicPartition }
}

extension [PartitionState] {
    /// How many offsets the group is behind in all of them; nil when no end is known.
    package var lag: Int64? { map(\.lag).sumOfKnown }

    /// How many offsets of the source topics and the replay topic are still to be taken; nil when
    /// no end is known.
    package var unread: Int64? { map(\.unread).sumOfKnown }
}

extension [Int64?] {
    /// The sum of what is known; nil when nothing is.
    package var sumOfKnown: Int64? {
        let known = compactMap { $0 }
        return known.isEmpty ? nil : known.reduce(0, +)
    }
}
