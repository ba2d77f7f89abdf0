internal import Delivery

/// Which partitions are owned, and how they are given up.
extension Intake {
    /// The next step for revoked partitions.
    enum RevocationStep: Equatable {
        /// Abandon what is open, then commit for the last time.
        case commit([AssignmentID])
        /// Give up these partitions, of which nothing is left here.
        case release([AssignmentID])
    }

    /// Adds partitions. With `countsStart` false, what earlier starts have left behind is ignored.
    mutating func add(
        _ assigned: [AssignedPartition], _ settings: EngineSettings, countsStart: Bool
    ) -> [Notice] {
        var notices: [Notice] = []
        for partition in assigned {
            let progress = PartitionProgress(
                partition, settings, countsStart: countsStart,
                departed: departed.take(partition))
            partitions.add(partition.id, progress)
            flow.add(partition.id)
            let name = partition.topicPartition
            if let reset = partition.reset { notices.append(.positionReset(name, reset)) }
            if partition.isAdded {
                notices.append(.partitionAdded(name, offset: partition.committed ?? 0))
            }
            if progress.watch.batch != nil {
                notices.append(.takenOneAtATime(name, starts: progress.watch.startsBefore))
            }
        }
        updateSole()
        return notices
    }

    /// The log of an assignment was replaced.
    mutating func replaced(_ id: AssignmentID) {
        flow.remove(id)
        guard let index = partitions.index(of: id) else { return }
        partitions[index].state = .replaced
        forgetTurn(of: id)
        removeIfFinished(id)
    }

    /// A partition is revoked: what has not been taken of it is left to the next owner. False for
    /// one that is not assigned.
    mutating func revoke(_ id: AssignmentID, until deadline: Instant) -> Bool {
        flow.remove(id)
        guard let index = partitions.index(of: id) else { return false }
        leaveHeld(index, id)
        partitions[index].state = .revoking(deadline: deadline)
        return true
    }

    /// A partition already belongs to another member. It is removed once its pushes are abandoned.
    mutating func lose(_ id: AssignmentID) {
        flow.remove(id)
        guard let index = partitions.index(of: id) else { return }
        forgetHeld(index)
        forgetTurn(of: id)
    }

    /// A partition was given up, or lost.
    mutating func remove(_ id: AssignmentID) {
        if let partition = partitions[id] { departed.add(id, partition) }
        partitions.remove(id)
        forgetTurn(of: id)
    }

    /// Forgets a replaced log once all of its records are done.
    mutating func removeIfFinished(_ id: AssignmentID) {
        guard let index = partitions.index(of: id), partitions[index].openRecords == 0,
            partitions[index].watch.held.isEmpty, partitions[index].awaitingSchema.isEmpty
        else { return }
        partitions.remove(id)
    }

    /// The next step for revoked partitions: first their last commit, then giving them up. All
    /// partitions of one revocation go together, because the group waits for all of them.
    mutating func nextRevocationStep(now: Instant) -> RevocationStep? {
        let revoking = partitions.filter { $0.isRevoking }
        let unfinished = partitions.filter {
            $0.isRevoking && $0.openRecords > 0 && !$0.isPast(now)
        }
        if !revoking.isEmpty, unfinished.isEmpty {
            // A commit that is still in progress could be stored after the last one and undo it.
            let inTime = partitions.filter { $0.isRevoking && !$0.isPast(now) }
            return commits.areDone || inTime.isEmpty ? .commit(revoking) : nil
        }
        let committing = partitions.filter { $0.isCommitting }
        guard !committing.isEmpty else { return nil }
        let areDone = commits.areDone
        let uncommitted = partitions.filter { $0.isCommitting && !(areDone && $0.isHandedOver) }
        let inTime = partitions.filter { $0.isCommitting && !$0.isPast(now) }
        guard uncommitted.isEmpty || inTime.isEmpty else { return nil }
        for id in committing { remove(id) }
        return .release(committing)
    }

    /// Those of the partitions of which records are open.
    func withOpenRecords(_ ids: [AssignmentID]) -> [AssignmentID] {
        ids.filter { (partitions[$0]?.openRecords ?? 0) > 0 }
    }

    /// The last commits of partitions.
    mutating func takeLastCommits(
        of ids: [AssignmentID], until deadline: Instant, now: Instant
    ) -> [OffsetCommit] {
        for id in ids {
            guard let index = partitions.index(of: id) else { continue }
            partitions[index].state = .committing(deadline: deadline)
        }
        return takeCommits(of: ids, now: now)
    }
}
