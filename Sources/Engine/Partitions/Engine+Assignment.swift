internal import Configuration
package import Delivery

/// Which partitions are owned, and what happens when they are revoked.
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
        counters.assignments += 1
        add(assigned, countingStart: commits.budget.hasRoomForMark)
    }

    /// With `countsStart` false, what earlier starts have left behind is ignored.
    private mutating func add(_ assigned: [AssignedPartition], countingStart countsStart: Bool) {
        for partition in assigned {
            let progress = PartitionProgress(
                partition, settings, countsStart: countsStart,
                departed: departed.take(partition))
            partitions.add(partition.id, progress)
            flow.add(partition.id)
            if let reset = partition.reset { report(reset, of: partition.topicPartition) }
            if partition.isAdded { report(added: partition) }
            noteBatches(of: progress)
        }
        updateSole()
        shareRate()
    }

    /// The log of an assignment was replaced. Records taken from it cannot be read again.
    package mutating func replaced(_ id: AssignmentID, by partition: AssignedPartition) {
        flow.remove(id)
        if let index = partitions.index(of: id) {
            partitions[index].state = .replaced
            forgetTurn(of: id)
            removeIfFinished(index, id)
        }
        takeHeldOfReplaced()
        add([partition], countingStart: false)
    }

    /// The group revokes partitions: what is not in flight is left to the next owner.
    package mutating func revoking(_ assignments: [AssignmentID]) {
        counters.revocations += 1
        for id in assignments {
            flow.remove(id)
            guard let index = partitions.index(of: id) else { continue }
            leaveHeld(index, id)
            let deadline = now + settings.revokeDeadline
            partitions[index].state = .revoking(deadline: deadline)
            abandonIdle(id, until: deadline)
        }
        waitForStarts()
        updateSole()
        shareRate()
    }

    /// The partitions already belong to other members: nothing more is committed for them.
    package mutating func lost(_ assignments: [AssignmentID]) {
        counters.losses += 1
        for id in assignments {
            flow.remove(id)
            if let index = partitions.index(of: id) { dropHeld(index, id) }
            dropUnpublishedRetries(of: id)
            abandonIdle(id)
            remove(id)
        }
        waitForStarts()
        updateSole()
        shareRate()
    }

    /// The next step for revoked partitions: first their last commit, then giving them up. All
    /// partitions of one revocation go together, because the group waits for all of them.
    package mutating func takeHandover() -> Handover? {
        let now = now
        let revoking = partitions.filter { $0.isRevoking }
        let unfinished = partitions.filter {
            $0.isRevoking && $0.openRecords > 0 && !$0.isPast(now)
        }
        if !revoking.isEmpty, unfinished.isEmpty {
            // A commit that is still in progress could be stored after the last one and undo it.
            let inTime = partitions.filter { $0.isRevoking && !$0.isPast(now) }
            return commits.areDone || inTime.isEmpty ? startLastCommit(revoking) : nil
        }
        let committing = partitions.filter { $0.isCommitting }
        guard !committing.isEmpty else { return nil }
        let areDone = commits.areDone
        let uncommitted = partitions.filter {
            $0.isCommitting && !(areDone && $0.isHandedOver)
        }
        let inTime = partitions.filter { $0.isCommitting && !$0.isPast(now) }
        guard uncommitted.isEmpty || inTime.isEmpty else { return nil }
        for id in committing { remove(id) }
        return .release(committing)
    }

    private mutating func startLastCommit(_ ids: [AssignmentID]) -> Handover {
        for id in ids {
            guard let index = partitions.index(of: id) else { continue }
            if partitions[index].openRecords > 0 {
                dropUnpublishedRetries(of: id)
                abandonIdle(id)
            }
            partitions[index].state = .committing(deadline: now + settings.revokeDeadline)
        }
        return .commit(takeCommits(of: ids))
    }

    /// The topic and partition of each assignment.
    package func topicPartitions(_ ids: [AssignmentID]) -> [TopicPartition] {
        ids.compactMap { partitions[$0]?.topicPartition }
    }

    /// The assignments whose records may be taken.
    package var owned: [AssignmentID] { partitions.filter { $0.state == .owned } }
}

// MARK: Position resets

extension Engine {
    private mutating func report(_ reset: PositionReset, of partition: TopicPartition) {
        counters.positionResets += 1
        counters.recordsGone += Int(reset.gone ?? 0)
        notices.append(.positionReset(partition, reset))
    }

    /// A partition that was added is read from its beginning, whatever `source.start` is.
    private mutating func report(added partition: AssignedPartition) {
        notices.append(
            .partitionAdded(partition.topicPartition, offset: partition.committed ?? 0))
    }
}
