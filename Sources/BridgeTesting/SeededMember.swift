public import Delivery
internal import Encoding

/// A member of a simulated group: a test scripts its events, and ``SeededRecords`` reads them.
public final class SeededMember {
    struct Fetched {
        var assignment: AssignmentID
        var partition: Int32
        /// Nil when the partition was revoked in the meantime.
        var entry: SeededTopic.Entry?
    }

    struct Assignment {
        var partition: Int32
        var next: Int64
        var isRevoking = false
        var isPaused = false
        /// It belongs to another member, and this one has not been notified yet.
        var isFenced = false
    }

    /// The topic that it reads.
    public let topic: SeededTopic
    /// Its number in ``SeededTopic/Commit``.
    public let number: Int
    /// Its speed and limits.
    public var habits: Habits
    /// Called with the partitions that were given up.
    public var onGivenUp: ([Int32]) -> Void = { _ in }
    /// The outage of Kafka that the member sees.
    public var outage: KafkaOutage?
    /// True while the group rebalances: a commit would come too late.
    public var isJoining = false
    /// False when the group rebalances for so long that the member leaves without notifying it.
    public var leavesInTime = true
    /// When its owner died at a record that it took: the rest of that turn never happened, and what
    /// was committed then never left.
    public var diedAt: Instant?
    /// When it left the group, in milliseconds since 1970.
    public private(set) var leftAt: Int64?
    /// What it had been handed by the time its position in a partition was reset: the greatest
    /// offset, by partition. It finishes such records even if it loses the partition.
    public private(set) var handedBeforeReset: [Int32: Int64] = [:]
    /// The number of records handed over.
    public private(set) var takenCount = 0
    /// The most records handed over at once.
    public private(set) var maxTaken = 0
    /// The number of pauses and resumptions.
    public private(set) var pauses = 0

    var assignments: [(id: AssignmentID, state: Assignment)] = []
    private var queue: [Fetched] = []
    private var head = 0
    private var changes: [AssignmentChange] = []
    /// The partitions of the assignments whose end the owner has not seen yet.
    var unseen: [AssignmentID: Int32] = [:]
    var reports: [CommitReport] = []
    private var failures: [KafkaFailure] = []
    private var nextID = 0
    private var isFetching = false
    var failNext = 0
    var generator: SeededGenerator
    var clock: SimulatedClock { topic.clock }

    init(topic: SeededTopic, number: Int, seed: Seed, habits: Habits) {
        self.topic = topic
        self.number = number
        self.habits = habits
        generator = seed.generator(100 + UInt64(number))
    }

    func note(taken: Int) { maxTaken = max(maxTaken, taken) }

    // MARK: The script

    /// Assigns partitions, starting at the committed offsets.
    public func assign(_ partitions: [Int32]) {
        guard !hasLeft else { return }
        // A member learns what it has lost before it joins its group again.
        reportLoss()
        var assigned: [AssignedPartition] = []
        for partition in partitions where !has(partition) {
            let id = AssignmentID(nextID)
            nextID += 1
            let found = topic.beginning(partition, of: number)
            let position = found.position
            assignments.append((id, Assignment(partition: partition, next: position.next)))
            var one = AssignedPartition(
                id: id, topicPartition: topic.topicPartition(partition), committed: position.next,
                metadata: position.metadata)
            (one.partitionCount, one.isAdded) = (found.partitionCount, found.isAdded)
            one.isOwn = found.isOwn
            assigned.append(one)
        }
        guard !assigned.isEmpty else { return }
        topic.onAssigned(partitions)
        changes.append(.assigned(assigned))
        clock.wake()
        fetchSoon()
    }

    /// Revokes partitions; the revocation completes when the owner gives them up.
    public func revoke(_ partitions: [Int32]) {
        var ids: [AssignmentID] = []
        for index in assignments.indices
        where partitions.contains(assignments[index].state.partition)
            && !assignments[index].state.isRevoking && !assignments[index].state.isFenced
        {
            assignments[index].state.isRevoking = true
            ids.append(assignments[index].id)
        }
        guard !ids.isEmpty else { return }
        forgetQueued(ids)
        changes.append(.revoking(ids))
        clock.wake()
    }

    /// Takes partitions away immediately, as from a member considered dead.
    public func lose(_ partitions: [Int32]) {
        fence(partitions)
        reportLoss()
    }

    /// Takes partitions away as from a member that does not respond: it keeps reading them, and its
    /// commits are rejected, until ``reportLoss()``.
    public func fence(_ partitions: [Int32]) {
        for index in assignments.indices
        where partitions.contains(assignments[index].state.partition) {
            assignments[index].state.isFenced = true
        }
    }

    /// Notifies the owner which partitions were taken away.
    public func reportLoss() {
        let ids = assignments.filter { $0.state.isFenced }.map(\.id)
        guard !ids.isEmpty else { return }
        forgetQueued(ids)
        for (id, state) in assignments where state.isFenced { unseen[id] = state.partition }
        assignments.removeAll { ids.contains($0.id) }
        changes.append(.lost(ids))
        clock.wake()
    }

    /// Makes the next commits fail.
    public func failCommits(_ count: Int) { failNext += count }

    /// Reports a Kafka failure.
    public func fail(_ failure: KafkaFailure) {
        failures.append(failure)
        clock.wake()
    }

    /// The assigned partitions, including those being revoked.
    public var partitions: [Int32] {
        assignments.filter { !$0.state.isFenced }.map(\.state.partition).sorted()
    }

    /// True while its owner may take a partition for its own: it has not been notified otherwise.
    public func mayOwn(_ partition: Int32) -> Bool {
        assignments.contains { $0.state.partition == partition }
            || unseen.values.contains(partition)
    }

    /// True once it has left the group.
    public var hasLeft: Bool { leftAt != nil }

    /// True when it has fetched records of a partition beyond an offset.
    func hasFetched(_ partition: Int32, beyond offset: Int64) -> Bool {
        assignments.contains { $0.state.partition == partition && $0.state.next > offset }
    }

    private func has(_ partition: Int32) -> Bool { partitions.contains(partition) }

    private func forgetQueued(_ ids: [AssignmentID]) {
        for index in queue.indices where ids.contains(queue[index].assignment) {
            queue[index].entry = nil
        }
    }

    // MARK: Fetching

    func fetchSoon() {
        guard !isFetching, !hasLeft, queue.count - head < habits.queueLimit, isBehind
        else { return }
        isFetching = true
        clock.schedule(after: delay()) { [self] in
            topic.reach.run { [self] in
                isFetching = false
                fetch()
            }
        }
    }

    /// How long a request takes: at least until Kafka can be reached again.
    func delay() -> Duration {
        generator.duration(in: habits.latency) + topic.outageLeft
    }

    private var isBehind: Bool {
        assignments.contains {
            flows($0.state) && !unread($0.state).isEmpty
                || !$0.state.isRevoking && isOutside($0.state)
        }
    }

    private func isOutside(_ state: Assignment) -> Bool {
        guard !topic.missing.contains(state.partition) else { return false }
        let range = topic.range(of: state.partition)
        return state.next < range.low || state.next > range.high
    }

    private func hasQueued(_ id: AssignmentID) -> Bool {
        queue[head...].contains { $0.assignment == id && $0.entry != nil }
    }

    /// Resets the position when Kafka does not have the next offset to read. A client that asks for
    /// the ends of the log notices it while the partition is paused, too.
    private func replaceOutside() -> Bool {
        var isAny = false
        for (old, state) in assignments
        where !state.isRevoking && !state.isFenced && isOutside(state) && !hasQueued(old) {
            let range = topic.range(of: state.partition)
            let lost = PositionReset(
                next: state.next, refused: state.next, low: range.low, high: range.high,
                highest: nil)
            guard let reset = lost.map({ topic.chosen($0, state.partition) }) else { continue }
            let id = AssignmentID(nextID)
            nextID += 1
            assignments.removeAll { $0.id == old }
            assignments.append((id, Assignment(partition: state.partition, next: reset.to)))
            unseen[old] = state.partition
            handedBeforeReset[state.partition] = topic.handedOver[state.partition]
            topic.reset(state.partition, reset, of: number)
            let topicPartition = topic.topicPartition(state.partition)
            changes.append(
                .replaced(
                    old,
                    by: AssignedPartition(
                        id: id, topicPartition: topicPartition, committed: reset.to,
                        metadata: topic.committed[state.partition]?.metadata ?? "",
                        reset: reset)))
            isAny = true
            clock.wake()
        }
        return isAny
    }

    private func flows(_ state: Assignment) -> Bool {
        !state.isRevoking && !state.isPaused && !topic.missing.contains(state.partition)
    }

    private func unread(_ state: Assignment) -> ArraySlice<SeededTopic.Entry> {
        topic.entries(state.partition, from: state.next)
    }

    private func fetch() {
        let wasEmpty = head == queue.count
        // No record comes before its assignment was reported.
        if replaceOutside() { return fetchSoon() }
        for index in assignments.indices where flows(assignments[index].state) {
            let (id, state) = assignments[index]
            let count = Int(generator.number(in: 1...habits.largestFetch))
            for entry in unread(state).prefix(count) {
                queue.append(Fetched(assignment: id, partition: state.partition, entry: entry))
                assignments[index].state.next = entry.offset + 1
            }
        }
        if wasEmpty, head < queue.count { clock.wake() }
        fetchSoon()
    }

    func nextRecord() -> Fetched? {
        guard head < queue.count else { return nil }
        defer {
            head += 1
            if head == queue.count {
                queue.removeAll(keepingCapacity: true)
                head = 0
            }
        }
        takenCount += 1
        if let entry = queue[head].entry {
            topic.note(handedOver: entry.offset, queue[head].partition)
        }
        return queue[head]
    }

    // MARK: The owner's calls

    func nextChange() -> AssignmentChange? {
        guard !changes.isEmpty else { return nil }
        let change = changes.removeFirst()
        switch change {
        case .lost(let ids): for id in ids { unseen[id] = nil }
        case .replaced(let id, _): unseen[id] = nil
        case .assigned, .revoking: break
        }
        return change
    }

    func nextReport() -> CommitReport? { reports.isEmpty ? nil : reports.removeFirst() }
    func nextFailure() -> KafkaFailure? { failures.isEmpty ? nil : failures.removeFirst() }

    /// The end of the log of an assigned partition.
    public func end(of id: AssignmentID) -> Int64? {
        assignments.first { $0.id == id }.map { topic.range(of: $0.state.partition).high }
    }

    func pause(_ ids: [AssignmentID], _ isPaused: Bool) {
        pauses += 1
        for index in assignments.indices where ids.contains(assignments[index].id) {
            assignments[index].state.isPaused = isPaused
            if isPaused { rewind(index) }
        }
        fetchSoon()
    }

    /// Discards records that were fetched and not handed over, as librdkafka does when it pauses.
    private func rewind(_ index: Int) {
        let id = assignments[index].id
        let first = queue[head...].first { $0.assignment == id && $0.entry != nil }
        if let entry = first?.entry { assignments[index].state.next = entry.offset }
        forgetQueued([id])
    }

    func release(_ ids: [AssignmentID]) {
        let given = assignments.filter { ids.contains($0.id) }
        let isAllowed = ids.allSatisfy { id in
            unseen[id] != nil || given.contains { $0.id == id && $0.state.isRevoking }
        }
        if !isAllowed {
            topic.violations.append("member \(number) released what was not revoked: \(ids)")
        }
        assignments.removeAll { ids.contains($0.id) }
        released(given.filter { !$0.state.isFenced }.map(\.state.partition).sorted())
    }

    private func released(_ partitions: [Int32]) {
        topic.onGivenUp(partitions)
        onGivenUp(partitions)
    }

    func leave() {
        guard !hasLeft else { return }
        leftAt = clock.wallClock
        let partitions = partitions
        assignments = []
        released(partitions)
    }
}
