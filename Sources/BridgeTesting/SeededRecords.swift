public import Delivery

/// The record source of a worker for a ``SeededMember``.
public struct SeededRecords: RecordSource, ~Copyable {
    private let member: SeededMember

    /// Creates a source for `member`.
    public init(_ member: SeededMember) { self.member = member }

    deinit { member.leave() }

    /// Hands over fetched records.
    public mutating func take(atMost limit: Int, _ body: (borrowing Record) -> Void) -> Int {
        take(atMost: limit, while: { true }, body)
    }

    /// The same, for as long as `mayContinue` returns true.
    public mutating func take(
        atMost limit: Int, while mayContinue: () -> Bool, _ body: (borrowing Record) -> Void
    ) -> Int {
        var taken = 0
        while taken < limit, taken == 0 || mayContinue(), let next = member.nextRecord() {
            taken += 1
            guard let entry = next.entry else { continue }
            body(
                Record.owning(
                    assignment: next.assignment,
                    topicPartition: member.topic.topicPartition(next.partition),
                    offset: entry.offset, timestamp: entry.timestamp, key: entry.key,
                    value: entry.value, headers: entry.headers))
            if member.habits.recordTime > .zero { member.clock.pass(member.habits.recordTime) }
        }
        member.note(taken: taken)
        member.fetchSoon()
        return taken
    }

    /// The next scripted change.
    public mutating func nextChange() -> AssignmentChange? { member.nextChange() }

    /// Gives up partitions that the script has revoked.
    public mutating func release(_ assignments: [AssignmentID]) { member.release(assignments) }

    /// False while the script makes the group rebalance.
    public var mayCommit: Bool { !member.isJoining }

    /// Commits after the member's latency, unless the script makes it fail.
    public mutating func commit(_ commits: [OffsetCommit]) { member.commit(commits) }

    /// The next commit result.
    public mutating func nextCommitReport() -> CommitReport? {
        let report = member.nextReport()
        if let report { member.topic.onReport(member.number, report) }
        return report
    }

    /// The next scripted failure.
    public mutating func nextFailure() -> KafkaFailure? { member.nextFailure() }

    /// The scripted outage.
    public var outage: KafkaOutage? { member.outage }

    /// The end of the partition's log.
    public func end(of assignment: AssignmentID) -> Int64? { member.end(of: assignment) }

    /// Pauses fetching for these partitions.
    public mutating func pause(_ assignments: [AssignmentID]) { member.pause(assignments, true) }

    /// Resumes fetching for these partitions.
    public mutating func resume(_ assignments: [AssignmentID]) { member.pause(assignments, false) }

    /// Leaves the group.
    public mutating func close() -> Bool {
        member.leave()
        return member.leavesInTime
    }
}
