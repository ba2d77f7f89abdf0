internal import Delivery
internal import Kafka

/// Which dead letters are settled, as the offsets of the replay's group record it.
struct ReplayLedger: Sendable {
    /// What the group had committed when it was last read or written.
    private(set) var committed: [CommittedOffset]
    private var trackers: [TopicPartition: OffsetTracker] = [:]
    /// Partitions that begin at the first dead letter of `--since`, each with its end.
    private var late: [TopicPartition: Int64] = [:]
    /// Open dead letters that `--max-replays` left out.
    private var refused: [TopicPartition: [Int64]] = [:]

    /// Continues where the group has stopped; a partition that is not in `known` starts anew.
    init(_ committed: [CommittedOffset], known: Set<TopicPartition>) {
        self.committed = committed
        for position in committed {
            let next = known.contains(position.topicPartition) ? position.next : nil
            let done = next.map { CompletedOffsets(text: position.metadata, from: $0) }
            trackers[position.topicPartition] = OffsetTracker(
                committed: next, known: done ?? CompletedOffsets())
        }
    }

    /// What to commit.
    var next: [CommittedOffset] {
        committed.map { position in
            guard let tracker = trackers[position.topicPartition], let next = tracker.next else {
                return position
            }
            return CommittedOffset(
                topicPartition: position.topicPartition, next: next,
                metadata: tracker.completed.text(from: next))
        }
    }

    /// Notes that ``next`` was committed.
    mutating func noteCommitted(_ offsets: [CommittedOffset]) { committed = offsets }

    /// Begins a dead letter; false when it is settled.
    mutating func begin(_ partition: TopicPartition, _ offset: Int64) -> Bool {
        trackers[partition]?.begin(offset) == true
    }

    /// Lets a partition without a record begin with the first dead letter that is not skipped.
    mutating func beginLate(_ partition: TopicPartition, end: Int64) { late[partition] = end }

    /// True for a dead letter that precedes the beginning of its partition. All of these are
    /// settled at once when the first other one begins, or at the end.
    mutating func skips(_ partition: TopicPartition, isEarly: Bool) -> Bool {
        guard late[partition] != nil else { return false }
        if !isEarly { late[partition] = nil }
        return isEarly
    }

    /// Settles what was skipped in partitions with nothing else.
    mutating func reachEnd() {
        for (partition, end) in late { trackers[partition] = OffsetTracker(committed: end) }
        late = [:]
    }

    /// Settles dead letters, and notes those that `--max-replays` leaves out: they stay open as
    /// long as a commit has room for that. Returns how many of them were settled for lack of it;
    /// throws when that is not enough.
    mutating func settle(
        _ settled: [(TopicPartition, Int64)], leavingOut left: [(TopicPartition, Int64)]
    ) throws(ReplayInterruption) -> Int {
        for (partition, offset) in settled { trackers[partition]?.complete(offset) }
        for (partition, offset) in left { refused[partition, default: []].append(offset) }
        var count = 0
        for position in committed where !fits(position.topicPartition) {
            let open = refused.removeValue(forKey: position.topicPartition) ?? []
            for offset in open { trackers[position.topicPartition]?.complete(offset) }
            count += open.count
            if !fits(position.topicPartition) { throw .tooManyPassedOver }
        }
        return count
    }

    /// True when the metadata of a commit can hold everything that is settled.
    private func fits(_ partition: TopicPartition) -> Bool {
        guard let tracker = trackers[partition], let next = tracker.next else { return true }
        let completed = tracker.completed
        return CompletedOffsets(text: completed.text(from: next), from: next) == completed
    }
}
