internal import Configuration
internal import Delivery
internal import EventLoop

/// A partition is read only as far as its next commit can tell of: what does not fit into the
/// commit's metadata would be sent again after a restart.
extension Engine {
    /// How often the oldest waiting pushes of a partition are looked for.
    private static var reliefInterval: Duration { .milliseconds(100) }

    /// A record was taken: its partition may have to stop.
    mutating func watchCommitRoom(of id: AssignmentID) {
        guard let index = partitions.index(of: id),
            partitions[index].tracker.span > commits.ampleSpan
        else { return }
        if !commits.fits(partitions[index].tracker, CommitPace.reserve) {
            pauseForCommitRoom(index, id)
        }
        guard now >= partitions[index].nextRelief else { return }
        partitions[index].nextRelief = now + Self.reliefInterval
        moveOldestToRetryTopic(index, id)
    }

    private mutating func pauseForCommitRoom(_ index: Int, _ id: AssignmentID) {
        guard flow.pause(id, for: .noRoomInCommit) else { return }
        noticePause(
            index, "partition paused: its commit can record no more completed offsets",
            [
                ("oldest_offset", .number(Int(partitions[index].tracker.next ?? 0))),
                ("offsets_above", .number(Int(partitions[index].tracker.span))),
                ("action", .text(actionForCommitRoom)),
            ])
    }

    /// Warns of a pause, once a minute at most for each partition.
    private mutating func noticePause(_ index: Int, _ message: String, _ more: [Notice.Field]) {
        guard now >= partitions[index].nextPauseNotice else { return }
        partitions[index].nextPauseNotice = now + .seconds(60)
        let place = partitions[index].topicPartition
        notices.append(
            Notice(
                .warning, message,
                [("topic", .text(place.topic)), ("partition", .number(Int(place.partition)))]
                    + more))
    }

    private var actionForCommitRoom: String {
        settings.results.retry == nil
            ? "pushes that wait hold the partition: set results.retry, so that they wait in a topic"
            : "the oldest pushes of the partition are in flight or their app is suspended"
    }

    /// The oldest waiting pushes of a partition go to the retry topic, so that its committed offset
    /// can advance.
    private mutating func moveOldestToRetryTopic(_ index: Int, _ id: AssignmentID) {
        guard settings.results.retry != nil, let next = partitions[index].tracker.next else {
            return
        }
        let end = next + partitions[index].tracker.span / 2
        for slot in pushes.slotRange where pushes[slot].state.kind == .waiting {
            let push = pushes.id(of: slot)
            let record = pushes[slot].record.slot
            guard records[record].assignment == id, records[record].offset < end,
                mayMoveToRetryTopic(push)
            else { continue }
            moveToRetryTopic(push)
        }
    }

    /// A record of a partition is done.
    mutating func complete(_ offset: Int64, of index: Int, _ id: AssignmentID) {
        partitions[index].tracker.complete(offset)
        partitions[index].uncommitted += 1
        commits.finishedRecord()
        if partitions[index].uncommitted >= settings.maxUncommitted,
            flow.pause(id, for: .uncommitted)
        {
            noticePause(
                index, "partition paused: too many of its records are done but not committed",
                [
                    ("uncommitted", .number(partitions[index].uncommitted)),
                    ("action", .text("wait for the rebalance, or raise delivery.max_uncommitted")),
                ])
        }
        resumeWithCommitRoom(index, id)
    }

    /// Half of the room must be free, so that a partition does not pause with every record.
    private mutating func resumeWithCommitRoom(_ index: Int, _ id: AssignmentID) {
        let more = CommitPace.reserve + Int(commits.budget.span / 4)
        guard flow.isPausedForCommits, flow.isPaused(id, for: .noRoomInCommit),
            commits.budget.characters == 0 || commits.fits(partitions[index].tracker, more)
        else { return }
        flow.resume(id, from: .noRoomInCommit)
    }

    /// Once a second: what waits by now may hold a partition that is paused.
    mutating func sweepCommitRoom() {
        for id in partitions.all {
            guard let index = partitions.index(of: id), partitions[index].state == .owned,
                partitions[index].tracker.span > commits.ampleSpan
                    || flow.isPaused(id, for: .noRoomInCommit)
            else { continue }
            moveOldestToRetryTopic(index, id)
            resumeWithCommitRoom(index, id)
        }
    }

    /// The broker refused the metadata of a commit: less of it is used from now on.
    mutating func halveMetadata(after commit: OffsetCommit) {
        let length = commit.metadata.unicodeScalars.count
        guard length > 0, length <= commits.budget.characters else { return }
        commits.budget.halve(after: length)
        let left = commits.budget.characters
        notices.append(
            Notice(
                left > 0 ? .warning : .error,
                left > 0
                    ? "the broker refused the metadata of a commit; using half as much"
                    : "the broker keeps no commit metadata; a restart repeats what was finished"
                        + " above the committed offset",
                [
                    ("refused_characters", .number(length)), ("characters", .number(left)),
                    ("action", .text("set offset.metadata.max.bytes=4096 on the brokers")),
                ]))
    }
}
