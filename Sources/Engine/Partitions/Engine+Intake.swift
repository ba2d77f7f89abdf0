internal import Configuration
package import Delivery

/// Passes what the group, Kafka and an operator say about partitions to ``Intake``, and does to
/// pushes what follows.
extension Engine {
    /// What the worker has to do for revoked partitions.
    package enum Handover: Equatable {
        /// Commit these offsets, the last ones of their partitions.
        case commit([OffsetCommit])
        /// Give up these partitions.
        case release([AssignmentID])
    }

    /// The group has assigned partitions; an empty list is one in which they went to others.
    package mutating func assigned(_ assigned: [AssignedPartition]) {
        counters.add(\.assignments)
        add(assigned, countsStart: intake.canCountStarts)
    }

    private mutating func add(_ assigned: [AssignedPartition], countsStart: Bool) {
        note(intake.add(assigned, settings, countsStart: countsStart))
        followPartitions()
    }

    /// What depends on which partitions there are.
    private mutating func followPartitions() {
        if settings.hasPatterns {
            outbox.follow(intake.eventTopics.subtracting(settings.sourceTopics))
        }
        shareRate()
    }

    /// The log of an assignment was replaced. Records taken from it cannot be read again.
    package mutating func replaced(_ id: AssignmentID, by partition: AssignedPartition) {
        intake.replaced(id)
        takeHeldOfReplaced()
        add([partition], countsStart: false)
    }

    /// The group revokes partitions: what is not in flight is left to the next owner.
    package mutating func revoking(_ assignments: [AssignmentID]) {
        counters.add(\.revocations)
        let deadline = now + settings.revokeDeadline
        for id in assignments where intake.revoke(id, until: deadline) {
            abandonIdle(id, until: deadline)
        }
        intake.settleStarts(now: now)
        followPartitions()
    }

    /// The partitions already belong to other members, or their topics were deleted: nothing more
    /// is committed for them.
    package mutating func lost(_ assignments: [AssignmentID], areDeleted: Bool = false) {
        if !areDeleted { counters.add(\.losses) }
        for id in assignments {
            intake.lose(id)
            dropUnpublishedRetries(of: id)
            abandonIdle(id)
            intake.remove(id)
        }
        intake.settleStarts(now: now)
        followPartitions()
    }

    /// The next step for revoked partitions: first their last commit, then giving them up.
    package mutating func takeHandover() -> Handover? {
        switch intake.nextRevocationStep(now: now) {
        case nil: return nil
        case .release(let ids): return .release(ids)
        case .commit(let ids):
            for id in intake.withOpenRecords(ids) {
                dropUnpublishedRetries(of: id)
                abandonIdle(id)
            }
            let deadline = now + settings.revokeDeadline
            return .commit(intake.takeLastCommits(of: ids, until: deadline, now: now))
        }
    }

    /// The topic and partition of each assignment.
    package func topicPartitions(_ ids: [AssignmentID]) -> [TopicPartition] {
        intake.topicPartitions(ids)
    }

    /// The assignments whose records may be taken.
    package var owned: [AssignmentID] { intake.owned }

    /// The assigned partitions, in the order of their assignment; `end` is the end of an
    /// assignment's log, as far as it is known.
    package func partitionStates(_ end: (AssignmentID) -> Int64?) -> [PartitionState] {
        intake.states(end, wallClock: wallClock)
    }
}

// MARK: Commits

extension Engine {
    /// True when there are offsets to commit and a commit is due.
    package var shouldCommit: Bool { intake.shouldCommit(now: now) }

    /// When ``shouldCommit`` becomes true; nil when there is nothing to commit.
    package var nextCommit: Instant? { intake.nextCommit }

    /// True when Kafka has every offset that is safe.
    package var isCommitted: Bool { intake.isCommitted }

    /// True when no commit is in progress.
    package var areCommitsDone: Bool { intake.areCommitsDone }

    /// The source cannot commit now.
    package mutating func postponeCommit() { intake.postponeCommit(now: now) }

    /// The offsets to commit, for every partition where they have changed.
    package mutating func takeCommits() -> [OffsetCommit] { intake.takeCommits(now: now) }

    /// A commit has completed. One that Kafka rejected is repeated.
    package mutating func committed(_ report: CommitReport) {
        note(intake.committed(report, hasOpenRecords: openRecords > 0, now: now))
        guard report.failure == nil else {
            counters.add(\.commitFailures, report.commits.count)
            return
        }
        counters.add(\.commits, report.commits.count)
        advanceHeld()
    }

    /// Moves the oldest waiting pushes of partitions whose commits have little room to the retry
    /// topic, once a second.
    mutating func sweepCommitRoom() {
        for id in intake.shortOfCommitRoom {
            if let end = intake.relief(of: id) { moveWaitingToRetryTopic(of: id, below: end) }
            intake.resumeWithCommitRoom(id)
        }
    }
}

// MARK: Room

extension Engine {
    /// How many more pushes may wait to be sent.
    private var queueRoom: Int { sending.room(forEach: settings.maxQueued) }

    /// Decides, once a turn, whether to pause everything because there has been no room for a
    /// while.
    package mutating func regulateIntake() { intake.regulate(queueRoom: queueRoom, now: now) }

    /// The number of records to ask the source for after `taken` in this turn; nil when the turn
    /// has taken enough.
    package mutating func takeLimit(taken: Int) -> Int? {
        intake.takeLimit(taken: taken, queueRoom: queueRoom, now: now)
    }

    /// The source was asked for `limit` records and returned `taken`.
    package mutating func asked(limit: Int, taken: Int) {
        intake.asked(limit: limit, taken: taken, now: now)
        advanceSchemas()
        advanceHeld()
    }

    /// When to poll the source next.
    package var nextTake: Instant { intake.nextTake(queueRoom: queueRoom, now: now) }

    /// The changes of flow to pass to the source; nil when there are none.
    package mutating func takeFlowChange() -> FlowChange? { intake.takeFlowChange() }

    /// Stops or resumes taking records and sending pushes at an operator's request. What is in
    /// flight ends, and what was taken waits: the time does not count towards its deadline.
    package mutating func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused else { return }
        intake.setPaused(isPaused)
        if isPaused {
            sending.pause(now: now)
        } else if let since = sending.resume() {
            allow(sending.apps, suspendedSince: since)
        }
    }

    /// True while an operator has paused the connector.
    package var isPaused: Bool { intake.isPaused }

    /// True when a push must wait because an operator has paused the connector. What is handed over
    /// and was sent in part is finished, so that the next owner does not repeat it.
    mutating func isHeldByPause(_ id: PushID) -> Bool {
        isPaused && intake.phase == .running && !isFinishedHere(id)
    }
}
