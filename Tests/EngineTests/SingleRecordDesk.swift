import BridgeSamples
import Delivery
import EventLoop
import Testing

@testable import Engine

/// A group with a partition whose members die, each played by a desk of its own.
final class DyingGroup {
    /// What the group has committed, by partition.
    private(set) var committed: [Int32: (next: Int64, metadata: String)]
    private(set) var desk: EngineDesk
    private(set) var ids: [Int32: AssignmentID] = [:]
    private let tweak: (inout EngineSettings) -> Void
    private var unheard = CommitReport(commits: [], failure: nil)

    /// A group with a partition for each metadata string, committed at offset 10.
    init(
        _ metadata: String..., tweak: @escaping (inout EngineSettings) -> Void = { _ in }
    ) throws {
        self.tweak = tweak
        let texts = metadata.isEmpty ? [""] : metadata
        committed = Dictionary(
            uniqueKeysWithValues: texts.enumerated().map { (Int32($0.offset), (10, $0.element)) })
        desk = try EngineDesk(tweak: tweak)
        try start()
    }

    /// A member dies, if there is one, and the next one starts.
    func start() throws {
        desk = try EngineDesk(tweak: tweak)
        unheard = CommitReport(commits: [], failure: nil)
        ids = [:]
        for (partition, place) in committed.sorted(by: { $0.key < $1.key }) {
            ids[partition] = desk.assign(
                partition, committed: place.next, metadata: place.metadata)
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
            desk.take(
                Samples.event("ab\(1000 + offset)", more: more), offset: offset,
                of: ids[partition] ?? AssignmentID(0), partition: partition)
        }
        desk.engine.asked(limit: 32, taken: offsets.count)
    }

    /// Stores what the member commits now, if anything; true when it did.
    @discardableResult
    func commit() -> Bool {
        desk.pass(milliseconds: 100)
        guard desk.shouldCommit else { return false }
        let commits = desk.takeCommits()
        store(commits)
        return !commits.isEmpty
    }

    /// Stores the last commit of a member that stops.
    func commitLast() { store(desk.takeCommits()) }

    private func store(_ commits: [OffsetCommit]) {
        storeUnheard(commits)
        hear()
    }

    /// Kafka has stored commits, and the member has not heard of it.
    func storeUnheard(_ commits: [OffsetCommit]) {
        for commit in commits {
            guard let partition = ids.first(where: { $0.value == commit.assignment })?.key else {
                continue
            }
            committed[partition] = (commit.next, commit.metadata)
        }
        unheard = CommitReport(commits: unheard.commits + commits, failure: nil)
    }

    /// The member hears of all commits that are stored.
    func hear() {
        let report = unheard
        unheard = CommitReport(commits: [], failure: nil)
        desk.committed(report)
    }

    /// Revokes a partition and finishes the handover.
    func revoke(_ partition: Int32 = 0) throws {
        desk.engine.revoking([try #require(ids[partition])])
        try handOver()
    }

    /// Finishes the handover of what is revoked, as far as that is possible.
    func handOver() throws {
        while let handover = desk.engine.takeHandover() {
            guard case .commit(let commits) = handover else { break }
            store(commits)
        }
    }

    /// Replaces the log of partition 0; what was read of it cannot be read again.
    func replace() throws {
        let reset = PositionReset(cause: .replaced, from: 13, to: 0, gone: nil)
        _ = desk.replace(try #require(ids[0]), reset)
    }

    /// The next push to send, if its record need not be named first; then it is set aside.
    func nextToSend() -> PushID? {
        guard let id = desk.nextToSend() else { return nil }
        guard desk.engine.awaitsItsName(id) else { return id }
        desk.engine.setAside(id)
        return nil
    }

    /// The pushes that APNs has.
    var inFlight: [PushID] {
        desk.engine.pushes.slotRange.map { desk.engine.pushes.id(of: $0) }.filter {
            desk.engine.pushes.isCurrent($0) && desk.engine.pushes[$0].state.kind == .inFlight
        }
    }

    /// Lets the member run until it has a push to send; nil when it has none in ten commits.
    func sendNext() -> PushID? {
        for _ in 0..<10 {
            if let id = nextToSend() {
                desk.engine.sent(id)
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
        let offset = desk.offset(id)
        desk.answer(id, 200)
        desk.settle()
        return offset
    }

    /// Dies three times with nothing done; the next member has started.
    func dieThreeTimes() throws {
        for _ in 0..<3 {
            commit()
            try start()
        }
        commit()
    }

    var isSingle: Bool {
        ids[0].flatMap { desk.engine.partitions[$0]?.watch.isSingle } ?? false
    }
    var openRecords: Int { desk.openRecords }
    var notices: [Notice] { desk.engine.takeNotices() }
}
