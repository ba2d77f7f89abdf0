internal import Delivery

/// The assigned partitions, in the order of their assignment.
///
/// Code that changes a partition for each record does so in place, by its index, without
/// allocating.
struct AssignedPartitions: Sendable {
    private var ids: [AssignmentID] = []
    private var progress: [PartitionProgress] = []

    /// The assignments, oldest first.
    var all: [AssignmentID] { ids }

    /// The index of an assignment; valid until one is added or removed.
    func index(of id: AssignmentID) -> Int? {
        var low = 0
        var high = ids.count
        while low < high {
            let middle = (low + high) / 2
            if ids[middle].number < id.number { low = middle + 1 } else { high = middle }
        }
        return low < ids.count && ids[low] == id ? low : nil
    }

    subscript(index: Int) -> PartitionProgress {
        _read { yield progress[index] }
        _modify { yield &progress[index] }
    }

    /// The indices of all assignments; valid until one is added or removed.
    var indices: Range<Int> { ids.indices }

    subscript(id: AssignmentID) -> PartitionProgress? { index(of: id).map { progress[$0] } }

    /// Adds an assignment, whose number is higher than all others.
    mutating func add(_ id: AssignmentID, _ partition: PartitionProgress) {
        precondition(ids.last.map { $0.number < id.number } ?? true, "an assignment came twice")
        ids.append(id)
        progress.append(partition)
    }

    mutating func remove(_ id: AssignmentID) {
        guard let index = index(of: id) else { return }
        ids.remove(at: index)
        progress.remove(at: index)
    }

    /// The assignments that satisfy a predicate, oldest first.
    func filter(_ isWanted: (PartitionProgress) -> Bool) -> [AssignmentID] {
        ids.indices.filter { isWanted(progress[$0]) }.map { ids[$0] }
    }
}
