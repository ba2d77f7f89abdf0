internal import Delivery

/// Reading a partition only as far as its next commit can record: what does not fit into the
/// commit's metadata would be sent again after a restart.
extension Intake {
    /// How often the oldest waiting pushes of a partition are moved.
    private static var reliefInterval: Duration { .milliseconds(100) }

    /// What follows when a commit has little room for another record.
    struct ShortRoom {
        var notices: [Notice] = []
        /// The waiting pushes of the partition below this offset go to the retry topic, so that its
        /// committed offset can advance; nil when it is not time.
        var relief: Int64?
    }

    /// Pauses a partition whose commit has no room for the record that was just taken; nil while
    /// there is ample room.
    mutating func watchCommitRoom(_ index: Int, _ id: AssignmentID, now: Instant) -> ShortRoom? {
        guard partitions[index].tracker.span > commits.ampleSpan else { return nil }
        var short = ShortRoom()
        if !hasCommitRoom(index, CommitPace.reserve) {
            short.notices = pauseForCommitRoom(index, id, now: now)
        }
        if now >= partitions[index].nextRelief {
            partitions[index].nextRelief = now + Self.reliefInterval
            short.relief = relief(index)
        }
        return short
    }

    private func relief(_ index: Int) -> Int64? {
        partitions[index].tracker.next.map { $0 + partitions[index].tracker.span / 2 }
    }

    /// True when the commit of a partition has room for that many records more.
    ///
    /// What an earlier reader left open had room in its commits, and is read without asking, up to
    /// where a pause must begin to take effect before there are other records.
    private func hasCommitRoom(_ index: Int, _ more: Int) -> Bool {
        partitions[index].tracker.knownAhead > CommitPace.reserve
            || commits.fits(partitions[index].tracker, more)
    }

    private mutating func pauseForCommitRoom(
        _ index: Int, _ id: AssignmentID, now: Instant
    ) -> [Notice] {
        guard flow.pause(id, for: .noRoomInCommit), mayNoticePause(index, .noRoomInCommit, now: now)
        else { return [] }
        return [
            .pausedByCommitSize(
                partitions[index].topicPartition, oldest: partitions[index].tracker.next ?? 0,
                above: partitions[index].tracker.span, hasRetryTopic: hasRetryTopic)
        ]
    }

    /// True once a minute at most for each partition and reason.
    private mutating func mayNoticePause(
        _ index: Int, _ reason: PartitionFlow.Reasons, now: Instant
    ) -> Bool {
        guard now >= partitions[index].nextPauseNotice[reason] ?? .distantPast else { return false }
        partitions[index].nextPauseNotice[reason] = now + .seconds(60)
        return true
    }

    /// A record of a partition is done.
    mutating func complete(
        _ offset: Int64, of index: Int, _ id: AssignmentID, now: Instant
    ) -> [Notice] {
        var notices: [Notice] = []
        partitions[index].tracker.complete(offset)
        partitions[index].uncommitted += 1
        commits.finishedRecord()
        if sole.isActive { noteDone(of: index, id) }
        if partitions[index].uncommitted >= maxUncommitted, flow.pause(id, for: .uncommitted) {
            notices = noteUncommitted(index, now: now)
        }
        resumeWithCommitRoom(index, id)
        return notices
    }

    private mutating func noteUncommitted(_ index: Int, now: Instant) -> [Notice] {
        guard mayNoticePause(index, .uncommitted, now: now) else { return [] }
        return [
            .pausedUncommitted(
                partitions[index].topicPartition,
                Notice.Uncommitted(
                    count: partitions[index].uncommitted,
                    hasMetadata: commits.budget.characters > 0, hasRetryTopic: hasRetryTopic))
        ]
    }

    /// Resumes a partition when enough room is free that it does not pause at the next record.
    private mutating func resumeWithCommitRoom(_ index: Int, _ id: AssignmentID) {
        let more = CommitPace.reserve + Int(commits.budget.span / 4)
        guard flow.isPausedForCommits, flow.isPaused(id, for: .noRoomInCommit),
            commits.budget.characters == 0 || hasCommitRoom(index, more)
        else { return }
        flow.resume(id, from: .noRoomInCommit)
    }

    /// The partitions whose commits have little room, looked at once a second: pushes that have
    /// begun to wait may keep them paused.
    var shortOfCommitRoom: [AssignmentID] {
        partitions.all.filter { id in
            guard let index = partitions.index(of: id), partitions[index].state == .owned else {
                return false
            }
            return partitions[index].tracker.span > commits.ampleSpan
                || flow.isPaused(id, for: .noRoomInCommit) || isHeldWithoutMetadata(index)
        }
    }

    /// True when an open record holds back so many done ones that its partition will be paused, as
    /// the broker keeps no metadata that could list which are done.
    private func isHeldWithoutMetadata(_ index: Int) -> Bool {
        commits.budget.characters == 0
            && partitions[index].tracker.doneAhead >= maxUncommitted / 2
    }

    /// Below which offset the waiting pushes of a partition go to the retry topic.
    func relief(of id: AssignmentID) -> Int64? { partitions.index(of: id).flatMap { relief($0) } }

    /// The oldest waiting pushes of a partition have been moved.
    mutating func resumeWithCommitRoom(_ id: AssignmentID) {
        guard let index = partitions.index(of: id) else { return }
        resumeWithCommitRoom(index, id)
    }
}
