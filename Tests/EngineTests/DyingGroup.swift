import BridgeSamples
import Delivery
import EventLoop
import Testing

@testable import Engine

/// A group with a partition whose members die, each played by a harness of its own.
final class DyingGroup {
    /// What the group has committed, by partition.
    private(set) var committed: [Int32: (next: Int64, metadata: String)]
    private(set) var harness: EngineHarness
    private(set) var ids: [Int32: AssignmentID] = [:]
    private let tweak: (inout EngineSettings) -> Void
    private var unreported = CommitReport(commits: [], failure: nil)

    /// A group with a partition for each metadata string, committed at offset 10.
    init(
        _ metadata: String..., tweak: @escaping (inout EngineSettings) -> Void = { _ in }
    ) throws {
        self.tweak = tweak
        let texts = metadata.isEmpty ? [""] : metadata
        committed = Dictionary(
            uniqueKeysWithValues: texts.enumerated().map { (Int32($0.offset), (10, $0.element)) })
        harness = try EngineHarness(tweak: tweak)
        try start()
    }

    /// A member dies, if there is one, and the next one starts.
    func start() throws {
        harness = try EngineHarness(tweak: tweak)
        unreported = CommitReport(commits: [], failure: nil)
        ids = [:]
        for (partition, position) in committed.sorted(by: { $0.key < $1.key }) {
            ids[partition] = harness.assign(
                partition, committed: position.next, metadata: position.metadata, countsStart: true)
        }
    }

    /// The metadata that the group has committed for a partition, without what it says about the
    /// log.
    func metadata(_ partition: Int32 = 0) -> String {
        guard let metadata = committed[partition]?.metadata else { return "none" }
        let log = LogMark(metadata: metadata).text
        return log.isEmpty ? metadata : metadata.replacing(log, with: "")
    }

    /// Hands the member the records of a partition with these offsets.
    func deliver(_ offsets: ClosedRange<Int64>, partition: Int32 = 0, more: String = "") {
        for offset in offsets {
            harness.take(
                Samples.event("ab\(1000 + offset)", more: more), offset: offset,
                of: ids[partition] ?? AssignmentID(0), partition: partition)
        }
        harness.engine.asked(limit: 32, taken: offsets.count)
        harness.shareProcess()
    }

    /// Stores what the member commits now, if anything; true when it did.
    @discardableResult
    func commit() -> Bool {
        harness.pass(milliseconds: 100)
        guard harness.shouldCommit else { return false }
        let commits = harness.takeCommits()
        store(commits)
        return !commits.isEmpty
    }

    /// Stores the last commit of a member that stops.
    func commitLast() { store(harness.takeCommits()) }

    private func store(_ commits: [OffsetCommit]) {
        storeUnreported(commits)
        reportCommits()
    }

    /// Kafka has stored commits, and the member has not been notified.
    func storeUnreported(_ commits: [OffsetCommit]) {
        for commit in commits {
            guard let partition = ids.first(where: { $0.value == commit.assignment })?.key else {
                continue
            }
            committed[partition] = (commit.next, commit.metadata)
        }
        unreported = CommitReport(commits: unreported.commits + commits, failure: nil)
    }

    /// The member is notified of all commits that are stored.
    func reportCommits() {
        let report = unreported
        unreported = CommitReport(commits: [], failure: nil)
        harness.committed(report)
    }

    /// Revokes a partition and finishes the handover.
    func revoke(_ partition: Int32 = 0) throws {
        harness.engine.revoking([try #require(ids[partition])])
        try handOver()
    }

    /// Finishes the handover of what is revoked, as far as that is possible.
    func handOver() throws {
        while let handover = harness.engine.takeHandover() {
            guard case .commit(let commits) = handover else { break }
            store(commits)
        }
    }

    /// Replaces the log of partition 0; what was read of it cannot be read again.
    func replace() throws {
        let reset = PositionReset(cause: .replaced, from: 13, to: 0, gone: nil)
        _ = harness.replace(try #require(ids[0]), reset)
    }

    /// The next push to send, as a worker finds it whose connections have room.
    func nextToSend() -> PushID? {
        harness.engine.startSending()
        while let id = harness.engine.nextToSend() {
            guard harness.engine.awaitsCommit(id) else { return id }
            harness.engine.askForCommit(before: id)
        }
        harness.shareProcess()
        return nil
    }

    /// The pushes that APNs has.
    var inFlight: [PushID] {
        harness.engine.pushesCell.value.slotRange.map {
            harness.engine.pushesCell.value.id(of: $0)
        }.filter {
            harness.engine.pushesCell.value.isCurrent($0)
                && harness.engine.pushesCell.value[$0].state.kind == .inFlight
        }
    }

    /// Lets the member run until it has a push to send; nil when it has none in twenty commits.
    func sendNext() -> PushID? {
        for _ in 0..<20 {
            if let id = nextToSend() {
                harness.engine.sent(id)
                return id
            }
            commit()
        }
        return nil
    }

    /// Finishes the next record: APNs accepts its only push, and Kafka stores the outcome.
    @discardableResult
    func finishNext() throws -> Int64 {
        let id = try #require(sendNext())
        let offset = harness.offset(id)
        harness.respond(id, 200)
        harness.settle()
        return offset
    }

    /// Dies three times with a record of partition 0 in flight; the next member has started.
    func dieThreeTimes() throws {
        for _ in 0..<3 {
            deliver(10...12)
            commit()
            try start()
        }
    }

    /// How many records of partition 0 may be open.
    var batch: Int? {
        ids[0].flatMap { harness.engine.intakeCell.value.partitions[$0]?.watch.batch }
    }
    var openRecords: Int { harness.openRecords }
    var notices: [Notice] { harness.engine.takeNotices() }
}
