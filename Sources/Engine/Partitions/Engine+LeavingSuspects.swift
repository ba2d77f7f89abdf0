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

    mutating func leaveAllHeld() {
        for index in partitions.indices { leaveHeld(index, partitions.all[index]) }
    }

    /// A partition is no longer this worker's: its next owner has read what the last commit names.
    mutating func dropHeld(_ index: Int, _ id: AssignmentID) {
        forgetHeld(index)
        partitions[index].watch.isNamedInCommit = false
        queueAside(index)
        endIsolation(of: id)
    }

    /// The log of a partition was replaced: what has arrived cannot be read again.
    mutating func takeHeldOfReplaced(_ id: AssignmentID) {
        guard let index = partitions.index(of: id) else { return }
        while phase == .running, window.room > 0, !partitions[index].watch.held.isEmpty {
            takeFirstHeld(index)
        }
        dropHeld(index, id)
    }

    /// A partition was given up, or lost.
    mutating func remove(_ id: AssignmentID) {
        partitions.remove(id)
        endIsolation(of: id)
    }

    /// Once a turn: a record that is named and waits, or was abandoned, is not named any longer.
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
    }
}
