internal import Delivery

/// Whether the start of each partition makes progress: see ``StartWatch``.
extension Intake {
    /// True when a commit counts this start, or need not.
    mutating func isStartCounted(_ index: Int, now: Instant) -> Bool {
        guard partitions[index].watch.isWatched, !partitions[index].watch.needsToBeAlone,
            commits.budget.hasRoomForMark
        else { return true }
        if !partitions[index].watch.isCounted { countStart(index, now: now) }
        return !partitions[index].watch.awaitsCount(now: now)
    }

    /// The next commit counts the start of a partition.
    mutating func countStart(_ index: Int, now: Instant) {
        partitions[index].watch.count(now: now)
        sole.countEnd = now + StartWatch.maxDelay
        sole.isActive = true
        commits.hurry()
    }

    /// The commits of a start have changed: taking records waits for them, or no longer.
    mutating func waitForStarts(now: Instant) {
        guard sole.countEnd != nil else { return }
        let isAnyAwaited = partitions.indices.contains {
            partitions[$0].state == .owned && partitions[$0].watch.awaitsCount(now: now)
        }
        if !isAnyAwaited || !commits.budget.hasRoomForMark { sole.countEnd = nil }
    }

    /// True while the source is not asked for records.
    func isWaitingForStarts(now: Instant) -> Bool {
        sole.isHoldingBack || sole.countEnd.map { now < $0 } ?? false
    }

    /// Partitions have gone.
    mutating func settleStarts(now: Instant) {
        waitForStarts(now: now)
        updateSole()
    }

    /// Kafka has stored a commit.
    mutating func noteStored(_ commit: OffsetCommit, of index: Int, now: Instant) -> [Notice] {
        guard sole.isWatching else { return [] }
        partitions[index].watch.stored(StartMark(metadata: commit.metadata))
        let notices = partitions[index].watch.isBatchCommitted ? beginBatch(index) : []
        waitForStarts(now: now)
        return notices
    }

    /// Once a second: a start with nothing in flight does not count. If all that is open waits, the
    /// next batch begins. `busy` have pushes that APNs or Kafka has, `unsent` have queued ones.
    mutating func sweepStarts(
        busy: Set<AssignmentID>, unsent: Set<AssignmentID>
    ) -> [Notice] {
        var notices: [Notice] = []
        for index in partitions.indices where partitions[index].state == .owned {
            let id = partitions.all[index]
            guard sole.turn?.assignment != id else { continue }
            if partitions[index].watch.batch != nil, !mustTakeAlone(index), !busy.contains(id),
                !unsent.contains(id)
            {
                notices += beginBatch(index)
            }
            guard partitions[index].watch.isWatched, partitions[index].watch.isCounted,
                partitions[index].watch.held.isEmpty, !busy.contains(id)
            else { continue }
            partitions[index].watch.stopCounting()
            commits.isDirty = true
        }
        updateSole()
        return notices
    }

    /// True when some start may still be one without progress.
    var isWatchingStarts: Bool { sole.isWatching }

    /// A record of a partition is done.
    mutating func noteDone(of index: Int, _ id: AssignmentID) {
        noteProgress(of: index)
        guard sole.turn?.assignment != id, !mustTakeAlone(index),
            partitions[index].watch.noteDone()
        else { return }
        commits.hurry()
    }

    /// The committed offset of a partition could advance.
    mutating func noteProgress(of index: Int) {
        guard let next = partitions[index].tracker.next else { return }
        partitions[index].watch.note(next: next)
    }

    /// More records of a partition may be taken.
    mutating func beginBatch(_ index: Int) -> [Notice] {
        partitions[index].watch.beginBatch() ? flowsNormally(index) : []
    }

    /// Partitions whose records are taken in batches flow normally where commits can no longer
    /// count starts.
    mutating func stopWatchingWithoutMarks() -> [Notice] {
        guard !commits.budget.hasRoomForMark else { return [] }
        var notices: [Notice] = []
        for index in partitions.indices
        where partitions[index].state == .owned && partitions[index].watch.batch != nil {
            partitions[index].watch.stopWatching()
            notices += flowsNormally(index)
        }
        return notices
    }

    private mutating func flowsNormally(_ index: Int) -> [Notice] {
        commits.isDirty = true
        return [.takenNormally(partitions[index].topicPartition)]
    }
}
