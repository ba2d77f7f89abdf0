public import Delivery

/// A Kafka topic in memory, with a group's committed offsets; it outlives its readers.
///
/// A second topic that the group reads has the partition numbers after those of the first.
public final class SeededTopic {
    /// A record of the topic, as written.
    public struct Entry {
        /// Its offset; offsets may have gaps, as after compaction.
        public var offset: Int64
        /// Its key; nil for none.
        public var key: [UInt8]?
        /// Its value; nil for a tombstone.
        public var value: [UInt8]?
        /// Its headers, in order.
        public var headers: [ResultRecord.Header]
        /// Its timestamp, in milliseconds since 1970.
        public var timestamp: Int64?
    }

    /// The group's committed position in a partition.
    public struct Position: Equatable, Sendable {
        /// The offset of the next record to read.
        public var next: Int64
        /// The metadata string.
        public var metadata: String
    }

    /// Where a member begins to read a partition.
    struct Beginning {
        var position: Position
        var partitionCount: Int
        var isAdded = false
        var isOwn = false
    }

    /// A commit, requested or stored.
    public struct Commit: Equatable, Sendable {
        /// Its time.
        public var time: Instant
        /// The number of the member that requested it, from 0.
        public var member: Int
        /// The partition.
        public var partition: Int32
        /// The committed position.
        public var position: Position
    }

    /// The topic's name.
    public let name: String
    /// The number of partitions of the first topic.
    public private(set) var firstCount: Int
    private let secondName: String
    /// The clock of its world.
    public let clock: SimulatedClock
    /// The records of each partition, by ascending offset.
    public private(set) var partitions: [[Entry]]
    /// The committed positions, by partition.
    public private(set) var committed: [Int32: Position] = [:]
    /// Every commit that was stored, in order.
    public private(set) var commits: [Commit] = []
    /// Actions of members that are not allowed; empty in a correct run.
    public var violations: [String] = []
    /// Called with every commit when it is requested.
    public var onCommit: (Commit) -> Void = { _ in }
    /// Called with the result of commits when the owner of a member, by its number, learns it.
    public var onReport: (_ member: Int, CommitReport) -> Void = { _, _ in }
    /// Called with the partitions that a member starts to read.
    public var onAssigned: (_ partitions: [Int32]) -> Void = { _ in }
    /// The greatest offset that was handed over, by partition.
    public private(set) var handedOver: [Int32: Int64] = [:]
    /// The most characters of metadata that a commit may have.
    public var metadataLimit = 4096
    /// Called with the partitions that a member has returned, or has left behind.
    public var onGivenUp: (_ partitions: [Int32]) -> Void = { _ in }
    /// Until when no request to Kafka finishes.
    public var outageEnd = Instant.distantPast
    /// The same where nobody can foresee the end.
    public let reach = SimulatedReach()
    /// True for `start: latest`: a new group begins at the end of the first topic.
    public var startsAtEnd = false
    /// The number of the member that has committed last, by partition.
    private var committers: [Int32: Int] = [:]
    /// The partitions whose log was replaced, and which no member reads from the beginning yet.
    public private(set) var awaitingReset: Set<Int32> = []
    /// The partitions whose topic does not exist: nothing is read from them, and no commit stored.
    public private(set) var missing: Set<Int32> = []
    /// Its members in the order of their numbers, also those that have left.
    public private(set) var members: [SeededMember] = []
    private var starts: [Int32: Int64] = [:]

    /// Creates an empty topic.
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

    /// Tears down the topic together with its world: releases its members, which refer to it, and
    /// its callbacks.
    public func end() {
        for member in members { member.onGivenUp = { _ in } }
        members = []
        reach.end()
        onGivenUp = { _ in }
        onAssigned = { _ in }
        onCommit = { _ in }
        onReport = { _, _ in }
    }

    /// The topic and number of a partition.
    public func topicPartition(_ partition: Int32) -> TopicPartition {
        let index = Int(partition)
        guard index >= firstCount else { return TopicPartition(topic: name, partition: partition) }
        return TopicPartition(topic: secondName, partition: Int32(index - firstCount))
    }

    /// Appends a record, and returns its offset: the next one, or `skipping` more.
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

    /// True when what is written to a partition will be read: it exists, and no member reads on in
    /// a log that was replaced.
    public func takesRecords(_ partition: Int32) -> Bool {
        !missing.contains(partition) && !awaitingReset.contains(partition)
    }

    /// Removes the records of a partition below an offset, as retention does.
    public func removeRecords(partition: Int32, below offset: Int64) {
        partitions[Int(partition)].removeAll { $0.offset < offset }
        starts[partition] = max(starts[partition] ?? 0, offset)
        for member in members { member.fetchSoon() }
    }

    /// Deletes all records of a partition and starts again at 0, as when a topic is deleted and
    /// recreated unnoticed by its members.
    public func replaceLog(partition: Int32) {
        partitions[Int(partition)].removeAll()
        starts[partition] = 0
        let isRead = handedOver.removeValue(forKey: partition) != nil
        if isRead || hasFetched(partition, beyond: 0) || committed[partition]?.next ?? 0 > 0 {
            awaitingReset.insert(partition)
        }
        for member in members { member.fetchSoon() }
    }

    /// Removes the last records of a partition, as when a broker loses what it had not written to
    /// its disk.
    public func truncate(partition: Int32, from offset: Int64) {
        let high = range(of: partition).high
        partitions[Int(partition)].removeAll { $0.offset >= offset }
        let end = range(of: partition).high
        guard end < high else { return }
        let isRead = handedOver[partition] ?? -1 >= end
        if isRead { handedOver[partition] = end - 1 }
        if isRead || hasFetched(partition, beyond: end) || committed[partition]?.next ?? 0 > end {
            awaitingReset.insert(partition)
        }
        for member in members { member.fetchSoon() }
    }

    /// True when a member has fetched records of a partition beyond an offset.
    private func hasFetched(_ partition: Int32, beyond offset: Int64) -> Bool {
        members.contains { $0.hasFetched(partition, beyond: offset) }
    }

    /// Adds a partition to the only topic, and returns its number.
    public func addPartition() -> Int32 {
        precondition(firstCount == partitions.count, "a second topic has the numbers after it")
        partitions.append([])
        firstCount += 1
        return Int32(firstCount - 1)
    }

    /// Deletes all records of a partition, which does not exist until it is recreated. Kafka
    /// forgets what the group had committed.
    public func delete(partition: Int32) {
        missing.insert(partition)
        replaceLog(partition: partition)
        committed[partition] = nil
    }

    /// Creates a partition again after it was deleted.
    public func recreate(partition: Int32) {
        missing.remove(partition)
        for member in members { member.fetchSoon() }
    }

    var outageLeft: Duration { max(.zero, outageEnd - clock.now) }

    /// The range of a partition's offsets, ending with the next one.
    public func range(of partition: Int32) -> (low: Int64, high: Int64) {
        let low = starts[partition] ?? 0
        return (low, max(low, (partitions[Int(partition)].last?.offset ?? -1) + 1))
    }

    /// Adds a member to the group. It has no partitions until ``SeededMember/assign(_:)``.
    public func join(seed: Seed, habits: SeededMember.Habits = .init()) -> SeededMember {
        let member = SeededMember(topic: self, number: members.count, seed: seed, habits: habits)
        members.append(member)
        return member
    }

    /// True when the group has committed everything written.
    public var isDone: Bool {
        partitions.indices.allSatisfy { index in
            let end = range(of: Int32(index)).high
            return end == 0 || committed[Int32(index)]?.next == end
        }
    }

    /// The committed position; a new group commits where it begins. Kafka forgets what is committed
    /// for a topic that is deleted, unless a member commits it again before it notices that.
    func beginning(_ partition: Int32, of member: Int) -> Beginning {
        let (low, high) = range(of: partition)
        let count = firstPartitions(like: partition)
        var found = Beginning(position: Position(next: low, metadata: ""), partitionCount: count)
        if let known = committed[partition] {
            found.position = known
            found.isOwn = committers[partition] == member
            guard known.next <= high, awaitingReset.remove(partition) != nil else { return found }
            let reset = chosen(
                PositionReset(cause: .replaced, from: known.next, to: low, gone: nil), partition)
            found.position.next = reset.to
            found.isOwn = false
        } else {
            found.isAdded = topicPartition(partition).partition >= count
            let isLatest = startsAtEnd && !found.isAdded && partition < firstCount
            found.position.next = isLatest ? high : low
        }
        found.position.metadata = fitting(LogMark(partitionCount: count).text)
        committed[partition] = found.position
        committers[partition] = member
        return found
    }

    /// Commits the position at which a partition is read again.
    func reset(_ partition: Int32, _ reset: PositionReset, of member: Int) {
        let mark = reset.mark(
            partitionCount: firstPartitions(like: partition), finished: finished(partition))
        committed[partition] = Position(next: reset.to, metadata: fitting(mark.text))
        committers[partition] = member
        awaitingReset.remove(partition)
        onAssigned([partition])
    }

    /// Chooses where a log that was replaced is read on.
    func chosen(_ reset: PositionReset, _ partition: Int32) -> PositionReset {
        var reset = reset
        let time = finished(partition)
        let offset = time.flatMap { time in
            let since = PositionReset.searchTime(finished: time)
            return partitions[Int(partition)].first { $0.timestamp ?? 0 >= since }?.offset
        }
        reset.choose(finished: time, offset: offset)
        return reset
    }

    private func finished(_ partition: Int32) -> Int64? {
        LogMark(metadata: committed[partition]?.metadata ?? "").time
    }

    private func fitting(_ metadata: String) -> String {
        metadata.unicodeScalars.count <= metadataLimit ? metadata : ""
    }

    /// How many partitions the topic of a partition had when the group began to read it.
    private func firstPartitions(like partition: Int32) -> Int {
        let topic = topicPartition(partition).topic
        let like = partitions.indices.map { Int32($0) }.filter { topicPartition($0).topic == topic }
        var metadata: [Int32: String] = [:]
        for one in like { metadata[topicPartition(one).partition] = committed[one]?.metadata }
        return FirstPartitions.count(committed: metadata, now: like.count)
    }

    func note(handedOver offset: Int64, _ partition: Int32) {
        handedOver[partition] = max(handedOver[partition] ?? -1, offset)
    }

    func store(_ commit: Commit) {
        committed[commit.partition] = commit.position
        committers[commit.partition] = commit.member
        commits.append(commit)
    }

    /// The records of a partition from an offset on.
    public func entries(_ partition: Int32, from offset: Int64) -> ArraySlice<Entry> {
        let entries = partitions[Int(partition)]
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return entries[low...]
    }
}
