internal import Delivery

/// Which offsets are safe to commit, and when.
extension Intake {
    /// How long the last commit of a partition is repeated while its log cannot be found.
    private static var maxSearch: Duration { .seconds(2) }

    /// True when there are offsets to commit and a commit is due.
    func shouldCommit(now: Instant) -> Bool { commits.isDirty && commits.isDue(now: now) }

    /// When a commit is due; nil when there is nothing to commit, or one is in progress.
    var nextCommit: Instant? { commits.isDirty && commits.areDone ? commits.due : nil }

    /// True when Kafka has every offset that is safe.
    var isCommitted: Bool { !commits.isDirty && commits.areDone }

    /// True when no commit is in progress.
    var areCommitsDone: Bool { commits.areDone }

    /// True when commits can say that a start was counted.
    var canCountStarts: Bool { commits.budget.hasRoomForMark }

    /// The source cannot commit now.
    mutating func postponeCommit(now: Instant) { commits.postpone(now: now) }

    /// The offsets to commit, for every partition where they have changed.
    mutating func takeCommits(now: Instant) -> [OffsetCommit] {
        commits.isDirty = false
        return takeCommits(of: partitions.all, now: now)
    }

    mutating func takeCommits(of ids: [AssignmentID], now: Instant) -> [OffsetCommit] {
        var taken: [OffsetCommit] = []
        for id in ids {
            guard let index = partitions.index(of: id) else { continue }
            let commit = partitions[index].takeCommit(
                id, commits.budget, isLast: isLastCommit(of: index), stops: phase != .running)
            if let commit { taken.append(commit) }
        }
        commits.started(taken.count, now: now)
        return taken
    }

    /// True when a partition is handed over, or left behind, with this commit.
    private func isLastCommit(of index: Int) -> Bool {
        if partitions[index].isCommitting || phase == .closed { return true }
        return phase != .running && partitions[index].openRecords == 0
    }

    /// A commit has completed. One that Kafka rejected is repeated. `hasOpenRecords` says that the
    /// worker has records that are not done.
    mutating func committed(
        _ report: CommitReport, hasOpenRecords: Bool, now: Instant
    ) -> [Notice] {
        commits.ended(report.commits.count)
        guard let failure = report.failure else {
            return report.commits.flatMap { stored($0, now: now) }
        }
        var notices: [Notice] = []
        if failure.code == "OFFSET_METADATA_TOO_LARGE" {
            notices = report.commits.compactMap { halveMetadata(after: $0) }
            waitForStarts(now: now)
        }
        for commit in report.commits {
            guard let index = partitions.index(of: commit.assignment),
                partitions[index].lastCommit == commit,
                !isGivenUp(index, after: failure, hasOpenRecords, now: now)
            else { continue }
            partitions[index].lastCommit = nil
            commits.isDirty = true
        }
        return notices
    }

    /// True when the commit of a partition that is being left is not repeated: its topic is gone,
    /// or its source accepts none while it finds out whether the log was replaced, and cannot.
    private mutating func isGivenUp(
        _ index: Int, after failure: KafkaFailure, _ hasOpenRecords: Bool, now: Instant
    ) -> Bool {
        guard failure.isAboutMissingTopic || failure.code == "_ASSIGNMENT_LOST" else {
            return false
        }
        let since = partitions[index].refusedSince ?? now
        partitions[index].refusedSince = since
        let isLast = phase != .running && !hasOpenRecords
        return (partitions[index].isCommitting || isLast) && now >= since + Self.maxSearch
    }

    private mutating func stored(_ commit: OffsetCommit, now: Instant) -> [Notice] {
        guard let index = partitions.index(of: commit.assignment) else { return [] }
        partitions[index].commitStored()
        let notices = noteStored(commit, of: index, now: now)
        if partitions[index].uncommitted <= maxUncommitted / 2 {
            flow.resume(commit.assignment, from: .uncommitted)
        }
        return notices
    }

    /// Uses half as much metadata from now on, because the broker has refused that of a commit.
    private mutating func halveMetadata(after commit: OffsetCommit) -> Notice? {
        let length = commit.metadata.unicodeScalars.count
        guard length > 0, length <= commits.budget.characters else { return nil }
        commits.budget.halve(after: length)
        return .metadataRefused(characters: length, left: commits.budget.characters)
    }
}
