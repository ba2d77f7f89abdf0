internal import Delivery

/// One partition whose records are made of a few events again and again; nothing is copied.
@safe
struct BenchmarkSource: RecordSource, ~Copyable {
    /// How far the group has come.
    final class Position {
        var committed: Int64 = 0
    }

    private let position: Position
    private let events: [UnsafeRawBufferPointer]
    private let topicPartition: TopicPartition
    private let access = unsafe RecordAccess(release: { _ in }, header: { _, _ in nil })
    private let count: Int64
    private var next: Int64 = 0
    private var isAssigned = false
    private var reports: [CommitReport] = []

    /// A partition of so many records.
    init(_ events: [[UInt8]], count: Int, position: Position) {
        unsafe self.events = events.map { event in
            let memory = UnsafeMutableRawBufferPointer.allocate(
                byteCount: event.count, alignment: 1)
            unsafe memory.copyBytes(from: event)
            return UnsafeRawBufferPointer(memory)
        }
        topicPartition = TopicPartition(topic: "shop.orders", partition: 0)
        self.count = Int64(count)
        self.position = position
    }

    mutating func take(atMost limit: Int, _ body: (borrowing Record) -> Void) -> Int {
        guard isAssigned else { return 0 }
        let end = min(next + Int64(limit), count)
        let taken = Int(end - next)
        while next < end {
            let event = unsafe events[Int(next) % events.count]
            guard let owner = unsafe UnsafeMutableRawPointer(mutating: event.baseAddress) else {
                break
            }
            body(
                unsafe Record(
                    assignment: AssignmentID(0), topicPartition: topicPartition, offset: next,
                    timestamp: 1_767_261_590_000, key: nil, value: event, owner: owner,
                    access: access))
            next += 1
        }
        return taken
    }

    mutating func nextChange() -> AssignmentChange? {
        guard !isAssigned else { return nil }
        isAssigned = true
        return .assigned([
            AssignedPartition(
                id: AssignmentID(0), topicPartition: topicPartition, committed: 0, metadata: "")
        ])
    }

    mutating func commit(_ commits: [OffsetCommit]) {
        for commit in commits { position.committed = commit.next }
        reports.append(CommitReport(commits: commits, failure: nil))
    }

    mutating func nextCommitReport() -> CommitReport? { reports.popLast() }
    mutating func release(_ assignments: [AssignmentID]) {}
    var mayCommit: Bool { true }
    mutating func nextFailure() -> KafkaFailure? { nil }
    var outage: KafkaOutage? { nil }
    func end(of assignment: AssignmentID) -> Int64? { nil }
    mutating func pause(_ assignments: [AssignmentID]) {}
    mutating func resume(_ assignments: [AssignmentID]) {}
    mutating func close() -> Bool { true }
}

/// Takes every result record, and says so at the next turn.
struct BenchmarkSink: ResultSink, ~Copyable {
    private var tickets: [UInt64] = []
    private var ending: [UInt64] = []
    private var left: Int
    private let atEnd: () -> Void

    /// Expects so many records; `atEnd` is called when it has the last one.
    init(count: Int, atEnd: @escaping () -> Void) {
        left = count
        self.atEnd = atEnd
        tickets.reserveCapacity(8192)
        ending.reserveCapacity(8192)
    }

    mutating func publish(_ record: borrowing ResultRecord, ticket: UInt64) -> PublishResult {
        tickets.append(ticket)
        left -= 1
        if left == 0 { atEnd() }
        return .queued
    }

    mutating func partitionCount(of topic: String) -> Int? { nil }

    mutating func acknowledgements(_ body: (_ ticket: UInt64, Acknowledgement) -> Void) {
        swap(&tickets, &ending)
        for ticket in ending { body(ticket, .stored) }
        ending.removeAll(keepingCapacity: true)
    }

    mutating func nextFailure() -> KafkaFailure? { nil }
    mutating func flush() {}
    mutating func close() {}
}
