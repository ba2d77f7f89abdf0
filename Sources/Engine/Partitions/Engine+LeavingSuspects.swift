internal import Delivery
internal import EventLoop

/// Partitions that leave the worker while their records are taken one at a time.
///
/// Kafka may have a commit that names one of their records as being tried. Until it has one that
/// does not, a crash would count against that record: if it has crashed the worker before, nothing
/// else is processed meanwhile.
extension Engine {
    /// A partition is revoked, or the worker stops: what it has not taken is read again.
    mutating func leaveHeld(_ index: Int, _ id: AssignmentID) {
        forgetHeld(index)
        // What no commit names yet is finished without a name, or read again.
        if let tried = partitions[index].watch.tried,
            !partitions[index].watch.isNamedInCommit
                || !partitions[index].tracker.isOpen(tried.offset)
        {
            partitions[index].watch.stopTrying()
        }
        queueAside(index)
        if partitions[index].watch.isNamedInCommit { commits.hurry() }
        endIsolation(of: id)
    }

    /// Those of a replaced log cannot be read again: they are taken as the window allows.
    mutating func leaveAllHeld() {
        for index in partitions.indices where partitions[index].state != .replaced {
            leaveHeld(index, partitions.all[index])
        }
    }

    /// A partition is no longer this worker's: its next owner has read what the last commit names.
    mutating func dropHeld(_ index: Int, _ id: AssignmentID) {
        forgetHeld(index)
        stopNaming(index, id)
    }

    /// The log of a partition was replaced, or another member has it: no commit of this worker
    /// names one of its records from now on.
    mutating func stopNaming(_ index: Int, _ id: AssignmentID) {
        partitions[index].watch.stopTrying()
        partitions[index].watch.isNamedInCommit = false
        queueAside(index)
        endIsolation(of: id)
    }

    /// Takes the records that are held of replaced logs, as they cannot be read again: when records
    /// may be taken at all, as many as the window has room for. A worker that stops takes them even
    /// if an operator has paused it. With `all`, the worker ends, and nothing is waited for.
    mutating func takeHeldOfReplaced(all takesAll: Bool = false) {
        let isPaused = flow.isPausedByOperator && phase == .running
        let mayTake = search.isolated == nil && !isPaused
        guard takesAll || mayTake else { return }
        for id in partitions.filter({ $0.state == .replaced && !$0.watch.held.isEmpty }) {
            guard let index = partitions.index(of: id) else { continue }
            while takesAll || window.room > 0, !partitions[index].watch.held.isEmpty {
                takeFirstHeld(index)
            }
            removeIfFinished(index, id)
        }
    }

    /// Forgets a replaced log once all of its records are done.
    mutating func removeIfFinished(_ index: Int, _ id: AssignmentID) {
        guard partitions[index].openRecords == 0, partitions[index].watch.held.isEmpty,
            partitions[index].awaitingSchema.isEmpty
        else { return }
        partitions.remove(id)
    }

    /// The number of records that are held of replaced logs.
    var heldOfReplaced: Int {
        guard search.isActive || schemas.heldCount > 0 else { return 0 }
        return partitions.indices.reduce(0) { count, index in
            guard partitions[index].state == .replaced else { return count }
            return count + partitions[index].watch.held.count
                + partitions[index].awaitingSchema.count
        }
    }

    /// A partition was given up, or lost.
    mutating func remove(_ id: AssignmentID) {
        if let partition = partitions[id] { departed.add(id, partition) }
        partitions.remove(id)
        endIsolation(of: id)
    }

    /// Whenever pushes are sent: a record that is named and waits, or was abandoned, is not named
    /// any longer.
    mutating func watchNames() {
        guard search.isActive else { return }
        for index in partitions.indices
        where partitions[index].watch.tried != nil && !isBeingProcessed(index) {
            commits.isDirty = true
        }
    }

    private mutating func forgetHeld(_ index: Int) {
        for slot in partitions[index].watch.held { store.release(search.held.remove(slot)) }
        partitions[index].watch.held = []
        forgetAwaiting(index)
    }
}
