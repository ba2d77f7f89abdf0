internal import Configuration
internal import Delivery

/// Which partitions are ours, and how far they have come.
extension WorkerCore {
    /// What the worker has to do about partitions that are taken away.
    enum Handover: Equatable {
        case commit([OffsetCommit])
        case giveUp([AssignmentID])
    }

    mutating func assigned(_ assigned: [AssignedPartition]) {
        for partition in assigned {
            partitions.add(
                partition.id,
                PartitionProgress(
                    partition, clusterID: settings.clusterID, group: settings.group,
                    isRetry: partition.topicPartition.topic == settings.results.retry))
            isFlowDirty = isFlowDirty || pausesAll
            if let reset = partition.reset { tell(of: reset, partition.topicPartition) }
        }
    }

    /// The log behind an assignment is gone. Nobody else can read again what was taken of it.
    mutating func replaced(_ id: AssignmentID, by partition: AssignedPartition) {
        if let index = partitions.index(of: id) {
            partitions[index].state = .replaced
            if partitions[index].openRecords == 0 { partitions.remove(id) }
        }
        assigned([partition])
    }

    private mutating func tell(of reset: PositionReset, _ partition: TopicPartition) {
        counters.positionResets += 1
        counters.recordsGone += Int(reset.gone ?? 0)
        let message =
            switch reset.cause {
            case .expired: "Kafka removed records before they were read"
            case .replaced: "the log of a partition was replaced or cut; it is read anew"
            }
        notices.append(
            Notice(
                .error, message,
                [
                    ("topic", partition.topic), ("partition", String(partition.partition)),
                    ("old_offset", String(reset.from)), ("new_offset", String(reset.to)),
                    ("records_gone", reset.gone.map { "at most \($0)" } ?? "unknown"),
                    ("what", Self.remedy(for: reset.cause)),
                ]))
    }

    private static func remedy(for cause: PositionReset.Cause) -> String {
        switch cause {
        case .expired:
            "those below new_offset are gone for ever and have no outcome: raise retention.ms of"
                + " the topic, or add workers"
        case .replaced:
            "what Kafka has now is sent from new_offset on; was the topic made anew?"
        }
    }

    /// The group wants these partitions back: what is not on its way stays for the next owner.
    mutating func revoking(_ assignments: [AssignmentID]) {
        for id in assignments {
            guard let index = partitions.index(of: id) else { continue }
            let deadline = now + settings.revokeDeadline
            partitions[index].state = .revoking(deadline: deadline)
            abandon(id, until: deadline)
        }
    }

    /// The partitions are somebody else's: nothing more is committed for them.
    mutating func lost(_ assignments: [AssignmentID]) {
        for id in assignments {
            dropUnwrittenRetries(id)
            abandon(id)
            partitions.remove(id)
        }
    }

    /// What has become safe, for every partition where that has changed.
    mutating func takeCommits() -> [OffsetCommit] {
        isDirty = false
        return takeCommits(of: partitions.all)
    }

    private mutating func takeCommits(of ids: [AssignmentID]) -> [OffsetCommit] {
        var commits: [OffsetCommit] = []
        for id in ids {
            guard let index = partitions.index(of: id) else { continue }
            let commit = partitions[index].takeCommit(id, withCompleted: !leavesOutCompleted)
            if let commit { commits.append(commit) }
        }
        return commits
    }

    /// A commit has ended. One that Kafka refused is made again.
    mutating func committed(_ report: CommitReport) {
        guard report.failure != nil else {
            counters.commits += report.commits.count
            return
        }
        if report.failure?.code == "OFFSET_METADATA_TOO_LARGE" { leavesOutCompleted = true }
        for commit in report.commits {
            guard let index = partitions.index(of: commit.assignment),
                partitions[index].lastCommit == commit
            else { continue }
            partitions[index].lastCommit = nil
            isDirty = true
        }
    }

    /// Moves partitions that are being revoked on: first their last commit, then giving them up.
    /// The group waits for all that it asked for at a time, so they go together.
    mutating func nextHandover(commitsAreDone: Bool) -> Handover? {
        let now = now
        let revoking = partitions.filter { $0.isRevoking }
        let unfinished = partitions.filter {
            $0.isRevoking && $0.openRecords > 0 && !$0.isPast(now)
        }
        if !revoking.isEmpty, unfinished.isEmpty {
            // An earlier commit that is underway could be stored after the last one, and undo it.
            let inTime = partitions.filter { $0.isRevoking && !$0.isPast(now) }
            return commitsAreDone || inTime.isEmpty ? startLastCommit(revoking) : nil
        }
        let committing = partitions.filter { $0.isCommitting }
        guard !committing.isEmpty else { return nil }
        let uncommitted = partitions.filter {
            $0.isCommitting && !(commitsAreDone && $0.isHandedOver)
        }
        let inTime = partitions.filter { $0.isCommitting && !$0.isPast(now) }
        guard uncommitted.isEmpty || inTime.isEmpty else { return nil }
        for id in committing { partitions.remove(id) }
        return .giveUp(committing)
    }

    private mutating func startLastCommit(_ ids: [AssignmentID]) -> Handover {
        for id in ids {
            guard let index = partitions.index(of: id) else { continue }
            if partitions[index].openRecords > 0 {
                dropUnwrittenRetries(id)
                abandon(id)
            }
            partitions[index].state = .committing(deadline: now + settings.revokeDeadline)
        }
        return .commit(takeCommits(of: ids))
    }

    func topicPartitions(_ ids: [AssignmentID]) -> [TopicPartition] {
        ids.compactMap { partitions[$0]?.topicPartition }
    }

    /// The assignments whose records may be taken.
    var owned: [AssignmentID] {
        partitions.filter { $0.state == .owned }
    }
}

extension PartitionProgress {
    var isCommitting: Bool {
        if case .committing = state { return true }
        return false
    }

    var isRevoking: Bool {
        if case .revoking = state { return true }
        return false
    }

    func isPast(_ now: UInt64) -> Bool {
        switch state {
        case .owned, .replaced: false
        case .revoking(let deadline), .committing(let deadline): deadline <= now
        }
    }
}
