internal import Configuration
internal import Delivery

/// The progress of one assigned partition.
struct PartitionProgress: Sendable {
    /// Whether its records may be taken.
    enum State: Equatable, Sendable {
        case owned
        /// Revoked: what is in flight is finished first, until the deadline.
        case revoking(deadline: Instant)
        /// Its last commit is in progress.
        case committing(deadline: Instant)
        /// Its log was replaced: records taken from it are finished, and nothing is committed.
        case replaced
    }

    /// What its records are.
    enum Content: Equatable, Sendable {
        /// Events.
        case events
        /// Pushes that wait for a retry, each with its event.
        case retries
        /// Dead letters that are sent again, each with its event.
        case replays
    }

    let topicPartition: TopicPartition
    var state = State.owned
    var tracker: OffsetTracker
    var names: PartitionNames
    /// The times of its records that were begun.
    var times: RecordTimes
    /// How many partitions its topic had when the group began to read it.
    let partitionCount: Int?
    /// The number of records taken and not done.
    var openRecords = 0
    /// The time of its oldest event with a push that is not done, in milliseconds since 1970, as
    /// the last sweep found it.
    var oldestEvent = Int64.max
    let content: Content
    /// The last offset handed over for committing.
    var lastCommit: OffsetCommit?
    /// Since when its source refuses commits; nil while it accepts them.
    var refusedSince: Instant?
    /// Records done since the last commit that Kafka has stored.
    var uncommitted = 0
    private var beingCommitted = 0
    /// When its oldest waiting pushes are looked for again.
    var nextRelief = Instant.distantPast
    /// When the log may say again that it is paused, by reason.
    var nextPauseNotice: [PartitionFlow.Reasons: Instant] = [:]
    /// Records that wait for their schemas, in order.
    var awaitingSchema: [SchemaWaits.Held] = []
    /// Whether this start makes progress.
    var watch: StartWatch

    /// With `countsStart` false, it continues a start that was counted, or none can be. `departed`
    /// is what this worker knows to be done, if it had the partition before.
    init(
        _ assigned: AssignedPartition, _ settings: EngineSettings, countsStart: Bool,
        departed: OffsetTracker? = nil
    ) {
        content =
            switch assigned.topicPartition.topic {
            case settings.results.retry: .retries
            case settings.replayTopic: .replays
            default: .events
            }
        topicPartition = assigned.topicPartition
        let known = CompletedOffsets(text: assigned.metadata, from: assigned.committed ?? 0)
        tracker = OffsetTracker(
            committed: assigned.committed, known: departed.map { $0.adding(to: known) } ?? known)
        let mark = LogMark(metadata: assigned.metadata)
        partitionCount = assigned.partitionCount ?? mark.partitionCount
        times = RecordTimes(committed: assigned.committed, time: mark.time)
        watch = StartWatch(assigned, counts: countsStart)
        names = PartitionNames(
            NotificationName(
                clusterID: settings.clusterID, group: settings.group,
                topicPartition: assigned.topicPartition))
        if let committed = assigned.committed {
            lastCommit = OffsetCommit(
                assignment: assigned.id, next: committed, metadata: assigned.metadata)
        }
    }

    var isRevoking: Bool {
        if case .revoking = state { return true }
        return false
    }

    var isCommitting: Bool {
        if case .committing = state { return true }
        return false
    }

    /// True when the deadline of its revocation has passed.
    func isPast(_ now: Instant) -> Bool {
        switch state {
        case .owned, .replaced: false
        case .revoking(let deadline), .committing(let deadline): deadline <= now
        }
    }

    /// True when every offset that is safe to commit has been handed over.
    var isHandedOver: Bool { tracker.next == nil || lastCommit != nil }

    /// The offset to commit; nil when it has not changed. The last commit ends the start cleanly.
    mutating func takeCommit(
        _ id: AssignmentID, _ budget: MetadataBudget, isLast: Bool, stops: Bool
    ) -> OffsetCommit? {
        guard state != .replaced, let next = tracker.next else { return nil }
        let mark = isLast ? watch.lastMark(next: next, stops: stops) : watch.mark(next: next)
        let map = tracker.completed.text(from: next, atMost: budget.mapCharacters)
        let log = LogMark(partitionCount: partitionCount, time: times.time(below: next))
        let commit = OffsetCommit(
            assignment: id, next: next,
            metadata: budget.hasRoomForMark ? mark.text + log.text + map : map)
        guard commit != lastCommit else { return nil }
        lastCommit = commit
        // Without metadata, a commit does not record what is done above its offset.
        beingCommitted = uncommitted - (budget.characters > 0 ? 0 : tracker.doneAhead)
        return commit
    }

    /// Kafka has the last commit.
    mutating func commitStored() {
        refusedSince = nil
        uncommitted -= beingCommitted
        beingCommitted = 0
    }
}
