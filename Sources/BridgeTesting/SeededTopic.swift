public import Delivery

/// One Kafka topic in memory, with what a group has committed; it outlives its readers.
///
/// A second topic that the group reads, too, has the partitions behind those of the first.
public final class SeededTopic {
    /// A record of the topic, as it was written.
    public struct Entry {
        /// Its offset; offsets may have gaps, as after a compaction.
        public var offset: Int64
        /// Its key; nil for none.
        public var key: [UInt8]?
        /// Its value; nil for a tombstone.
        public var value: [UInt8]?
        /// Its headers, in order.
        public var headers: [ResultRecord.Header]
        /// When it was made, in milliseconds since 1970.
        public var timestamp: Int64?
    }

    /// What the group has committed for a partition.
    public struct Position: Equatable, Sendable {
        /// The offset of the next record to read.
        public var next: Int64
        /// The text beside it.
        public var metadata: String
    }

    /// A commit, as it was asked for or as it was stored.
    public struct Commit: Equatable, Sendable {
        /// When, in monotonic nanoseconds.
        public var time: UInt64
        /// Which member asked for it, from 0.
        public var member: Int
        /// The partition.
        public var partition: Int32
        /// What was committed.
        public var position: Position
    }

    /// The topic's name.
    public let name: String
    /// How many partitions the first topic has.
    public let firstCount: Int
    private let secondName: String
    /// The time of its world.
    public let clock: SimulatedClock
    /// The records of each partition, by rising offset.
    public private(set) var partitions: [[Entry]]
    /// What the group has committed, by partition.
    public private(set) var committed: [Int32: Position] = [:]
    /// Every commit that was stored, in order.
    public private(set) var commits: [Commit] = []
    /// What a member did that no member may do; empty in a sound run.
    public var violations: [String] = []
    /// Called with every commit the moment it is asked for.
    public var onCommit: (Commit) -> Void = { _ in }
    /// Called with the partitions that a member starts to read.
    public var onAssigned: (_ partitions: [Int32]) -> Void = { _ in }
    /// The greatest offset that was handed over, by partition.
    public private(set) var handedOver: [Int32: Int64] = [:]
    /// The most characters of metadata that a commit may have.
    public var metadataLimit = 4096
    /// Called with the partitions that a member has returned, or has left behind.
    public var onGivenUp: (_ partitions: [Int32]) -> Void = { _ in }
    private var members: [SeededMember] = []
    private var starts: [Int32: Int64] = [:]

    /// An empty topic.
    public init(
        _ name: String, partitions: Int, clock: SimulatedClock,
        second: (name: String, partitions: Int) = ("", 0)
    ) {
        self.name = name
        firstCount = partitions
        secondName = second.name
        self.clock = clock
        self.partitions = Array(repeating: [], count: partitions + second.partitions)
    }

    /// Ends the topic together with its world: it forgets its members, which hold it, and whom to
    /// tell of them.
    public func end() {
        for member in members { member.onGivenUp = { _ in } }
        members = []
        onGivenUp = { _ in }
        onAssigned = { _ in }
        onCommit = { _ in }
    }

    /// The name that Kafka gives a partition.
    public func place(_ partition: Int32) -> TopicPartition {
        let index = Int(partition)
        guard index >= firstCount else { return TopicPartition(topic: name, partition: partition) }
        return TopicPartition(topic: secondName, partition: Int32(index - firstCount))
    }

    /// Adds a record, and returns its offset: the next one, or `skipping` more.
    @discardableResult
    public func append(
        partition: Int32 = 0, key: [UInt8]? = nil, value: [UInt8]?,
        headers: [ResultRecord.Header] = [], timestamp: Int64? = nil, skipping gap: Int64 = 0
    ) -> Int64 {
        let entry = Entry(
            offset: range(of: partition).high + gap, key: key, value: value, headers: headers,
            timestamp: timestamp ?? clock.wallClock)
        partitions[Int(partition)].append(entry)
        for member in members { member.fetchSoon() }
        return entry.offset
    }

    /// Removes the records of a partition below an offset, as retention does.
    public func removeRecords(partition: Int32, below offset: Int64) {
        partitions[Int(partition)].removeAll { $0.offset < offset }
        starts[partition] = max(starts[partition] ?? 0, offset)
        for member in members { member.fetchSoon() }
    }

    /// Removes all records of a partition and begins again at 0, as when a topic is deleted and
    /// recreated while its members look away.
    public func replaceLog(partition: Int32) {
        partitions[Int(partition)].removeAll()
        starts[partition] = 0
        for member in members { member.fetchSoon() }
    }

    /// The offsets that a partition has, or would have next.
    func range(of partition: Int32) -> (low: Int64, high: Int64) {
        let low = starts[partition] ?? 0
        return (low, max(low, (partitions[Int(partition)].last?.offset ?? -1) + 1))
    }

    /// A new member of the group. It has no partitions until ``SeededMember/assign(_:)``.
    public func join(seed: Seed, habits: SeededMember.Habits = .init()) -> SeededMember {
        let member = SeededMember(topic: self, number: members.count, seed: seed, habits: habits)
        members.append(member)
        return member
    }

    /// True when the group has committed everything that was written.
    public var isDone: Bool {
        partitions.indices.allSatisfy { index in
            let end = range(of: Int32(index)).high
            return end == 0 || committed[Int32(index)]?.next == end
        }
    }

    /// Commits where a partition is read again.
    func reset(_ partition: Int32, to offset: Int64) {
        committed[partition] = Position(next: offset, metadata: "")
        onAssigned([partition])
    }

    func note(handedOver offset: Int64, _ partition: Int32) {
        handedOver[partition] = max(handedOver[partition] ?? -1, offset)
    }

    func store(_ commit: Commit) {
        committed[commit.partition] = commit.position
        commits.append(commit)
    }

    /// The records of a partition from an offset on.
    func entries(_ partition: Int32, from offset: Int64) -> ArraySlice<Entry> {
        let entries = partitions[Int(partition)]
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return entries[low...]
    }
}
