internal import Configuration
internal import Delivery
internal import EventLoop

/// Reading a partition only as far as its next commit can record: what does not fit into the
/// commit's metadata would be sent again after a restart.
extension Engine {
    /// How often the oldest waiting pushes of a partition are moved.
    private static var reliefInterval: Duration { .milliseconds(100) }

    /// Pauses a partition whose commit has no room for the record that was just taken, or moves its
    /// oldest waiting pushes to the retry topic.
    mutating func watchCommitRoom(_ index: Int, _ id: AssignmentID) {
        guard partitions[index].tracker.span > commits.ampleSpan else { return }
        if !hasCommitRoom(index, CommitPace.reserve) { pauseForCommitRoom(index, id) }
        guard now >= partitions[index].nextRelief else { return }
        partitions[index].nextRelief = now + Self.reliefInterval
        moveOldestToRetryTopic(index, id)
    }

    /// True when the commit of a partition has room for that many records more.
    ///
    /// What an earlier reader left open had room in its commits, and is read without asking, up to
    /// where a pause must begin to take effect before there are other records.
    private func hasCommitRoom(_ index: Int, _ more: Int) -> Bool {
        partitions[index].tracker.knownAhead > CommitPace.reserve
            || commits.fits(partitions[index].tracker, more)
    }

    private mutating func pauseForCommitRoom(_ index: Int, _ id: AssignmentID) {
        guard flow.pause(id, for: .noRoomInCommit) else { return }
        guard mayNoticePause(index, .noRoomInCommit) else { return }
        notices.append(
            .pausedByCommitSize(
                partitions[index].topicPartition, oldest: partitions[index].tracker.next ?? 0,
                above: partitions[index].tracker.span,
                hasRetryTopic: settings.results.retry != nil))
    }

    /// True once a minute at most for each partition and reason.
    private mutating func mayNoticePause(
        _ index: Int, _ reason: PartitionFlow.Reasons
    ) -> Bool {
        guard now >= partitions[index].nextPauseNotice[reason] ?? .distantPast else { return false }
        partitions[index].nextPauseNotice[reason] = now + .seconds(60)
        return true
    }

    /// The oldest waiting pushes of a partition go to the retry topic, so that its committed offset
    /// can advance.
    private mutating func moveOldestToRetryTopic(_ index: Int, _ id: AssignmentID) {
        guard let next = partitions[index].tracker.next else { return }
        moveWaitingToRetryTopic(of: id, below: next + partitions[index].tracker.span / 2)
    }

    /// Marks a record of a partition as done.
    mutating func complete(_ offset: Int64, of index: Int, _ id: AssignmentID) {
        partitions[index].tracker.complete(offset)
        partitions[index].uncommitted += 1
        commits.finishedRecord()
        if sole.isActive { noteDone(of: index, id) }
        if partitions[index].uncommitted >= settings.maxUncommitted,
            flow.pause(id, for: .uncommitted)
        {
            noteUncommitted(index)
        }
        resumeWithCommitRoom(index, id)
    }

    private mutating func noteUncommitted(_ index: Int) {
        guard mayNoticePause(index, .uncommitted) else { return }
        notices.append(
            .pausedUncommitted(
                partitions[index].topicPartition,
                Notice.Uncommitted(
                    count: partitions[index].uncommitted,
                    hasMetadata: commits.budget.characters > 0,
                    hasRetryTopic: settings.results.retry != nil)))
    }

    /// Resumes a partition when enough room is free that it does not pause at the next record.
    private mutating func resumeWithCommitRoom(_ index: Int, _ id: AssignmentID) {
        let more = CommitPace.reserve + Int(commits.budget.span / 4)
        guard flow.isPausedForCommits, flow.isPaused(id, for: .noRoomInCommit),
            commits.budget.characters == 0 || hasCommitRoom(index, more)
        else { return }
        flow.resume(id, from: .noRoomInCommit)
    }

    /// Runs once a second: pushes that have begun to wait may keep a partition paused.
    mutating func sweepCommitRoom() {
        for id in partitions.all {
            guard let index = partitions.index(of: id), partitions[index].state == .owned,
                partitions[index].tracker.span > commits.ampleSpan
                    || flow.isPaused(id, for: .noRoomInCommit)
                    || isHeldWithoutMetadata(index)
            else { continue }
            moveOldestToRetryTopic(index, id)
            resumeWithCommitRoom(index, id)
        }
    }

    /// True when an open record holds back so many done ones that its partition will be paused, as
    /// the broker keeps no metadata that could tell which are done.
    private func isHeldWithoutMetadata(_ index: Int) -> Bool {
        commits.budget.characters == 0
            && partitions[index].tracker.doneAhead >= settings.maxUncommitted / 2
    }

    /// Uses half as much metadata from now on, because the broker has refused that of a commit.
    mutating func halveMetadata(after commit: OffsetCommit) {
        let length = commit.metadata.unicodeScalars.count
        guard length > 0, length <= commits.budget.characters else { return }
        commits.budget.halve(after: length)
        notices.append(
            .metadataRefused(characters: length, left: commits.budget.characters))
    }
}
