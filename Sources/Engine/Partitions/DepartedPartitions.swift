internal import Delivery

/// What this worker knows to be done of partitions that it no longer has.
///
/// A partition that is lost takes with it what was done since its last commit. When it comes back
/// and nobody else has read it since, that is not repeated.
struct DepartedPartitions: Sendable {
    private struct Departed: Sendable {
        var topicPartition: TopicPartition
        var tracker: OffsetTracker
    }

    /// The most that are kept.
    private static let limit = 1024

    private var all: [AssignmentID: Departed] = [:]

    /// A partition is given up, or lost. What is known of a log that was replaced is worth nothing.
    mutating func add(_ id: AssignmentID, _ partition: PartitionProgress) {
        forget(partition.topicPartition)
        guard partition.state != .replaced, partition.tracker.next != nil else { return }
        if all.count == Self.limit, let oldest = all.keys.min(by: { $0.number < $1.number }) {
            all[oldest] = nil
        }
        all[id] = Departed(
            topicPartition: partition.topicPartition, tracker: partition.tracker)
    }

    /// A record of a partition that has gone is done.
    mutating func complete(_ offset: Int64, of id: AssignmentID) {
        guard all[id]?.tracker.isOpen(offset) == true else { return }
        all[id]?.tracker.complete(offset)
    }

    /// What is known to be done of a partition that is assigned, if it is still the same log and
    /// nobody else has read it meanwhile. From now on others may know more.
    mutating func take(_ partition: AssignedPartition) -> OffsetTracker? {
        let topicPartition = partition.topicPartition
        guard let id = all.first(where: { $0.value.topicPartition == topicPartition })?.key,
            let departed = all.removeValue(forKey: id)
        else { return nil }
        return partition.isOwn && partition.reset == nil ? departed.tracker : nil
    }

    private mutating func forget(_ partition: TopicPartition) {
        all = all.filter { $0.value.topicPartition != partition }
    }
}
