package import Delivery

/// Which offsets are safe to commit, and when.
extension Engine {
    /// True when there are offsets to commit and a commit is due.
    package var shouldCommit: Bool { commits.isDirty && commits.isDue(now: now) }

    /// When ``shouldCommit`` becomes true; nil when there is nothing to commit.
    package var nextCommit: Instant? { commits.isDirty && commits.areDone ? commits.due : nil }

    /// True when Kafka has every offset that is safe.
    package var isCommitted: Bool { !commits.isDirty && commits.areDone }

    /// True when no commit is in progress.
    package var areCommitsDone: Bool { commits.areDone }

    /// The source cannot commit now.
    package mutating func postponeCommit() { commits.postpone(now: now) }

    /// The offsets to commit, for every partition where they have changed.
    package mutating func takeCommits() -> [OffsetCommit] {
        commits.isDirty = false
        return takeCommits(of: partitions.all)
    }

    mutating func takeCommits(of ids: [AssignmentID]) -> [OffsetCommit] {
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

    /// A commit has completed. One that Kafka rejected is repeated.
    package mutating func committed(_ report: CommitReport) {
        commits.ended(report.commits.count)
        guard report.failure != nil else {
            counters.commits += report.commits.count
            for commit in report.commits { stored(commit) }
            return advanceHeld()
        }
        counters.commitFailures += report.commits.count
        if report.failure?.code == "OFFSET_METADATA_TOO_LARGE" {
            for commit in report.commits { halveMetadata(after: commit) }
            waitForStarts()
        }
        for commit in report.commits {
            guard let index = partitions.index(of: commit.assignment),
                partitions[index].lastCommit == commit,
                !isGivenUp(index, after: report.failure)
            else { continue }
            partitions[index].lastCommit = nil
            commits.isDirty = true
        }
    }

    /// How long the last commit of a partition is repeated while its log cannot be found.
    private static var maxSearch: Duration { .seconds(2) }

    /// True when the commit of a partition that is being left is not repeated: its topic is gone,
    /// or its source accepts none while it finds out whether the log was replaced, and cannot.
    private mutating func isGivenUp(_ index: Int, after failure: KafkaFailure?) -> Bool {
        guard let failure, failure.isAboutMissingTopic || failure.code == "_ASSIGNMENT_LOST"
        else { return false }
        let since = partitions[index].refusedSince ?? now
        partitions[index].refusedSince = since
        let isLast = phase != .running && openRecords == 0
        return (partitions[index].isCommitting || isLast) && now >= since + Self.maxSearch
    }

    private mutating func stored(_ commit: OffsetCommit) {
        guard let index = partitions.index(of: commit.assignment) else { return }
        partitions[index].commitStored()
        noteStored(commit, of: index)
        guard partitions[index].uncommitted <= settings.maxUncommitted / 2 else { return }
        flow.resume(commit.assignment, from: .uncommitted)
    }
}
