internal import Delivery

/// How far one assigned partition has come.
struct PartitionProgress: Sendable {
    /// Whether its records may be taken.
    enum State: Equatable, Sendable {
        case owned
        /// It is being given back: what is on its way ends first, until the deadline.
        case revoking(deadline: UInt64)
        /// Its last commit is on its way.
        case committing(deadline: UInt64)
        /// Its log is gone: what was taken of it is finished, and nothing is committed.
        case replaced
    }

    let topicPartition: TopicPartition
    var state = State.owned
    var tracker: OffsetTracker
    var name: NotificationName
    /// Records taken and not done.
    var openRecords = 0
    /// True for a partition of the retry topic.
    let isRetry: Bool
    /// Until when it rests, because its next record is not due.
    var restsUntil: UInt64 = 0
    /// Why its records do not flow.
    var pauses: PauseReasons = []
    /// The app that it is paused for, while it is for one.
    var heldBy = 0
    /// True when the source was told to stop its flow.
    var isPaused = false
    /// What was last handed over to be committed.
    var lastCommit: OffsetCommit?

    init(
        _ assigned: AssignedPartition, clusterID: String, group: String, isRetry: Bool = false
    ) {
        self.isRetry = isRetry
        topicPartition = assigned.topicPartition
        let known = CompletedOffsets(text: assigned.metadata, from: assigned.committed ?? 0)
        tracker = OffsetTracker(committed: assigned.committed, known: known)
        name = NotificationName(
            clusterID: clusterID, group: group, topicPartition: assigned.topicPartition)
        if let committed = assigned.committed {
            lastCommit = OffsetCommit(
                assignment: assigned.id, next: committed, metadata: assigned.metadata)
        }
    }

    /// True when nothing that is safe waits to be handed over, or again after a refusal.
    var isHandedOver: Bool { tracker.next == nil || lastCommit != nil }

    /// What is to be committed; nil when nothing has changed since the last time.
    mutating func takeCommit(_ id: AssignmentID, withCompleted: Bool = true) -> OffsetCommit? {
        guard state != .replaced, let next = tracker.next else { return nil }
        let commit = OffsetCommit(
            assignment: id, next: next,
            metadata: withCompleted ? tracker.completed.text(from: next) : "")
        guard commit != lastCommit else { return nil }
        lastCommit = commit
        return commit
    }
}
