public import Delivery

/// A ``SeededMember`` as the source of a worker.
public struct SeededRecords: RecordSource, ~Copyable {
    private let member: SeededMember

    /// Reads what `member` is given.
    public init(_ member: SeededMember) { self.member = member }

    deinit { member.leave() }

    /// Hands over what was fetched.
    public mutating func take(atMost limit: Int, _ body: (borrowing Record) -> Void) -> Int {
        var taken = 0
        while taken < limit, let next = member.nextRecord() {
            taken += 1
            guard let entry = next.entry else { continue }
            body(
                Record.owning(
                    assignment: next.assignment,
                    topicPartition: member.topic.place(next.partition),
                    offset: entry.offset, timestamp: entry.timestamp, key: entry.key,
                    value: entry.value, headers: entry.headers))
        }
        member.fetchSoon()
        return taken
    }

    /// What the script says.
    public mutating func nextChange() -> AssignmentChange? { member.nextChange() }

    /// Gives partitions back, as the script asked.
    public mutating func giveUp(_ assignments: [AssignmentID]) { member.giveUp(assignments) }

    /// The simulated group never rebalances behind a commit's back.
    public var mayCommit: Bool { true }

    /// Commits after the member's latency, unless the script lets it fail.
    public mutating func commit(_ commits: [OffsetCommit]) { member.commit(commits) }

    /// What became of a commit.
    public mutating func nextCommitReport() -> CommitReport? { member.nextReport() }

    /// What the script lets fail.
    public mutating func nextFailure() -> KafkaFailure? { member.nextFailure() }

    /// Stops fetching for these partitions.
    public mutating func pause(_ assignments: [AssignmentID]) { member.pause(assignments, true) }

    /// Fetches for these partitions again.
    public mutating func resume(_ assignments: [AssignmentID]) { member.pause(assignments, false) }

    /// Leaves the group.
    public mutating func close() { member.leave() }
}
