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
            partitions[partition.id] = PartitionProgress(partition, clusterID: settings.clusterID)
        }
    }

    /// The group wants these partitions back: what is not on its way stays for the next owner.
    mutating func revoking(_ assignments: [AssignmentID]) {
        for id in assignments {
            partitions[id]?.state = .revoking(deadline: now + settings.revokeDeadline)
            abandon(id)
        }
    }

    /// The partitions are somebody else's: nothing more is committed for them.
    mutating func lost(_ assignments: [AssignmentID]) {
        for id in assignments {
            abandon(id)
            partitions[id] = nil
        }
    }

    /// What has become safe, for every partition where that has changed.
    mutating func takeCommits() -> [OffsetCommit] {
        isDirty = false
        var commits: [OffsetCommit] = []
        for id in partitions.keys.sorted(by: { $0.number < $1.number }) {
            if let commit = takeCommit(id) { commits.append(commit) }
        }
        return commits
    }

    private mutating func takeCommit(_ id: AssignmentID) -> OffsetCommit? {
        partitions[id]?.takeCommit(id, withCompleted: !leavesOutCompleted)
    }

    /// A commit has ended. One that Kafka refused is made again.
    mutating func committed(_ report: CommitReport) {
        guard report.failure != nil else {
            counters.commits += report.commits.count
            return
        }
        if report.failure?.code == "OFFSET_METADATA_TOO_LARGE" { leavesOutCompleted = true }
        for commit in report.commits where partitions[commit.assignment]?.lastCommit == commit {
            partitions[commit.assignment]?.lastCommit = nil
            isDirty = true
        }
    }

    /// Moves partitions that are being revoked on: first their last commit, then giving them up.
    /// The group waits for all that it asked for at a time, so they go together.
    mutating func nextHandover(commitsAreDone: Bool) -> Handover? {
        guard partitions.values.contains(where: { $0.state != .owned }) else { return nil }
        let revoking = partitions.filter { $0.value.isRevoking }
        if !revoking.isEmpty, revoking.allSatisfy({ isFinished($0.value) }) {
            return startLastCommit(revoking.keys.sorted { $0.number < $1.number })
        }
        let committing = partitions.filter { $0.value.isCommitting }
        let areDone = commitsAreDone && committing.allSatisfy { $0.value.isHandedOver }
        guard !committing.isEmpty, areDone || committing.allSatisfy({ $0.value.isPast(now) })
        else { return nil }
        for id in committing.keys { partitions[id] = nil }
        return .giveUp(committing.keys.sorted { $0.number < $1.number })
    }

    private func isFinished(_ partition: PartitionProgress) -> Bool {
        partition.openRecords == 0 || partition.isPast(now)
    }

    private mutating func startLastCommit(_ ids: [AssignmentID]) -> Handover {
        var commits: [OffsetCommit] = []
        for id in ids {
            partitions[id]?.state = .committing(deadline: now + settings.revokeDeadline)
            if let commit = takeCommit(id) { commits.append(commit) }
        }
        return .commit(commits)
    }

    func topicPartitions(_ ids: [AssignmentID]) -> [TopicPartition] {
        ids.compactMap { partitions[$0]?.topicPartition }
    }

    /// The assignments whose records may be taken.
    var owned: [AssignmentID] {
        partitions.filter { $0.value.state == .owned }.keys.sorted { $0.number < $1.number }
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
        case .owned: false
        case .revoking(let deadline), .committing(let deadline): deadline <= now
        }
    }
}
