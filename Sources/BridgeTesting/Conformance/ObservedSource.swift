public import Delivery

/// A record source, driven as a worker drives it, with everything that it has reported.
///
/// What no source may ever do is noted as a violation.
public final class ObservedSource {
    /// A record, copied when it was handed over.
    struct Seen {
        var assignment: AssignmentID
        var partition: Int32
        var offset: Int64
        var timestamp: Int64?
        var content: KafkaRecord
    }

    private struct Holding {
        var partition: TopicPartition
        /// The lowest offset that may come next.
        var next: Int64
        var isPaused = false
        var isOver = false
    }

    private let source: any AnySource
    private var holdings: [AssignmentID: Holding] = [:]
    private var toldRevocations = 0
    private var pendingCommits: [OffsetCommit] = []
    /// The most records of one call.
    var limit = 512
    private(set) var records: [Seen] = []
    private(set) var assigned: [AssignedPartition] = []
    private(set) var revoking: [AssignmentID] = []
    private(set) var replaced: [AssignmentID] = []
    private(set) var reports: [CommitReport] = []
    private(set) var failures: [KafkaFailure] = []
    private(set) var violations: [String] = []

    /// Observes a source.
    public init<Source: RecordSource & ~Copyable>(_ source: consuming Source) {
        self.source = SourceBox(source)
    }

    /// The assignments that it holds, by partition.
    var held: [Int32: AssignmentID] {
        var held: [Int32: AssignmentID] = [:]
        for (id, holding) in holdings where !holding.isOver {
            held[holding.partition.partition] = id
        }
        return held
    }

    /// The offsets of a partition that came under an assignment, or under any.
    func offsets(_ partition: Int32, under id: AssignmentID? = nil) -> [Int64] {
        records.filter { $0.partition == partition && (id == nil || $0.assignment == id) }
            .map(\.offset)
    }

    /// The assignments that were revoked since the last call.
    func newlyRevoked() -> [AssignmentID] {
        defer { toldRevocations = revoking.count }
        return Array(revoking[toldRevocations...])
    }

    // MARK: The owner's calls

    /// Takes records, then changes, reports and failures.
    func turn() {
        let taken = source.take(atMost: limit) { note($0) }
        if taken > limit { violate("took \(taken) records instead of \(limit)") }
        while let change = source.nextChange() { note(change) }
        while let report = source.nextCommitReport() { note(report) }
        while let failure = source.nextFailure() { failures.append(failure) }
    }

    var mayCommit: Bool { source.mayCommit }

    func commit(_ id: AssignmentID, next: Int64, metadata: String = "") {
        let commit = OffsetCommit(assignment: id, next: next, metadata: metadata)
        pendingCommits.append(commit)
        source.commit([commit])
    }

    func release(_ ids: [AssignmentID]) { source.release(ids) }

    func pause(_ id: AssignmentID) {
        holdings[id]?.isPaused = true
        source.pause([id])
    }

    func resume(_ id: AssignmentID) {
        holdings[id]?.isPaused = false
        source.resume([id])
    }

    func close() { source.close() }

    // MARK: What it reports

    private func violate(_ message: String) { violations.append(message) }

    private func note(_ record: borrowing Record) {
        let (id, offset) = (record.assignment, record.offset)
        let partition = record.topicPartition
        records.append(
            Seen(
                assignment: id, partition: partition.partition, offset: offset,
                timestamp: record.timestamp,
                content: KafkaRecord(
                    key: record.copyKey(), value: record.copyValue(),
                    headers: record.copyHeaders(), partition: partition.partition)))
        guard let holding = holdings[id], holding.partition == partition else {
            return violate("offset \(offset) of \(partition) came under unknown \(id)")
        }
        if holding.isOver { violate("offset \(offset) of \(partition) came after its revocation") }
        if holding.isPaused { violate("offset \(offset) of \(partition) came during a pause") }
        if offset < holding.next {
            violate("offset \(offset) of \(partition) came instead of \(holding.next) or later")
        }
        holdings[id]?.next = offset + 1
    }

    private func note(_ change: AssignmentChange) {
        switch change {
        case .assigned(let partitions): partitions.forEach(begin)
        case .revoking(let ids):
            revoking += ids
            ids.forEach(end)
        case .lost(let ids): ids.forEach(end)
        case .replaced(let id, let partition):
            replaced.append(id)
            end(id)
            begin(partition)
        }
    }

    private func begin(_ partition: AssignedPartition) {
        if let last = assigned.last, last.id.number >= partition.id.number {
            violate("\(partition.id) was assigned after \(last.id)")
        }
        if held[partition.topicPartition.partition] != nil {
            violate("\(partition.topicPartition) was assigned twice")
        }
        assigned.append(partition)
        holdings[partition.id] = Holding(
            partition: partition.topicPartition, next: partition.committed ?? 0)
    }

    private func end(_ id: AssignmentID) {
        if holdings[id]?.isOver != false { violate("\(id) ended, which it did not hold") }
        holdings[id]?.isOver = true
    }

    private func note(_ report: CommitReport) {
        reports.append(report)
        for commit in report.commits {
            if let index = pendingCommits.firstIndex(of: commit) {
                pendingCommits.remove(at: index)
            } else {
                violate("a commit of \(commit.next) was reported that was not pending")
            }
        }
    }
}

/// A source whose type is hidden.
private protocol AnySource: AnyObject {
    func take(atMost limit: Int, _ body: (borrowing Record) -> Void) -> Int
    func nextChange() -> AssignmentChange?
    func release(_ assignments: [AssignmentID])
    var mayCommit: Bool { get }
    func commit(_ commits: [OffsetCommit])
    func nextCommitReport() -> CommitReport?
    func nextFailure() -> KafkaFailure?
    func pause(_ assignments: [AssignmentID])
    func resume(_ assignments: [AssignmentID])
    func close()
}

private final class SourceBox<Source: RecordSource & ~Copyable>: AnySource {
    private var source: Source

    init(_ source: consuming Source) { self.source = source }

    func take(atMost limit: Int, _ body: (borrowing Record) -> Void) -> Int {
        source.take(atMost: limit, body)
    }
    func nextChange() -> AssignmentChange? { source.nextChange() }
    func release(_ assignments: [AssignmentID]) { source.release(assignments) }
    var mayCommit: Bool { source.mayCommit }
    func commit(_ commits: [OffsetCommit]) { source.commit(commits) }
    func nextCommitReport() -> CommitReport? { source.nextCommitReport() }
    func nextFailure() -> KafkaFailure? { source.nextFailure() }
    func pause(_ assignments: [AssignmentID]) { source.pause(assignments) }
    func resume(_ assignments: [AssignmentID]) { source.resume(assignments) }
    func close() { source.close() }
}
