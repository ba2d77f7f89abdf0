import Delivery
import Testing

@testable import Engine

@Suite struct `A partition that comes back to its worker` {
    private let id = AssignmentID(0)

    /// Records 10 to 14 are sent; 10, 12 and 13 are done, and nothing is committed.
    private func harness() throws -> (EngineHarness, [PushID]) {
        let harness = try EngineHarness()
        harness.assign(committed: 10)
        for offset in 10..<15 as Range<Int64> { harness.push("ab\(offset)", offset: offset) }
        let sent = harness.sendAll()
        try #require(sent.count == 5)
        for index in [0, 2, 3] { harness.respond(sent[index], 200) }
        harness.settle()
        return (harness, sent)
    }

    /// The offsets that are sent when the partition is read again.
    private func sentAgain(
        _ harness: EngineHarness, tweak: (inout AssignedPartition) -> Void
    ) -> [Int64] {
        let back = harness.assign(committed: 10, tweak: tweak)
        for offset in 10..<15 as Range<Int64> {
            harness.push("ab\(offset)", offset: offset, of: back)
        }
        return harness.sendAll().map { harness.offset($0) }
    }

    @Test func `does not repeat what was done when it was lost`() throws {
        let (harness, _) = try harness()
        harness.engine.lost([id])
        #expect(sentAgain(harness) { $0.isOwn = true } == [11, 14])
        let commit = try #require(harness.takeCommits().last)
        let done = CompletedOffsets(text: commit.metadata, from: commit.next)
        #expect(commit.next == 11 && done.ranges == [12..<14])
    }

    @Test func `does not repeat what Kafka has acknowledged after it was lost`() throws {
        let (harness, sent) = try harness()
        harness.engine.lost([id])
        harness.respond(sent[1], 200)
        harness.settle()
        #expect(sentAgain(harness) { $0.isOwn = true } == [14])
    }

    @Test func `does not repeat what its last commit did not get to Kafka`() throws {
        let (harness, _) = try harness()
        harness.engine.revoking([id])
        harness.pass(milliseconds: 20_000)
        guard case .commit = harness.handover(commitsAreDone: true) else {
            Issue.record("no last commit")
            return
        }
        harness.pass(milliseconds: 20_000)
        #expect(harness.handover(commitsAreDone: false) == .release([id]))
        #expect(sentAgain(harness) { $0.isOwn = true } == [11, 14])
    }

    @Test func `is read as it is committed if another member has read it since`() throws {
        let (harness, _) = try harness()
        harness.engine.lost([id])
        #expect(sentAgain(harness) { $0.isOwn = false } == [10, 11, 12, 13, 14])
    }

    @Test func `is read as it is committed if its log was replaced`() throws {
        let (harness, _) = try harness()
        harness.engine.lost([id])
        let offsets = sentAgain(harness) {
            $0.isOwn = true
            $0.reset = PositionReset(cause: .replaced, from: 15, to: 10, gone: nil)
        }
        #expect(offsets == [10, 11, 12, 13, 14])
    }

    @Test func `is read as it is committed if its log is replaced once it is back`() throws {
        let (harness, _) = try harness()
        harness.engine.lost([id])
        let back = harness.assign(committed: 10) { $0.isOwn = true }
        let reset = PositionReset(cause: .replaced, from: 10, to: 0, gone: nil)
        let new = harness.replace(back, reset)
        for offset in 0..<15 as Range<Int64> {
            harness.push("ab\(10 + offset)", offset: offset, of: new)
        }
        #expect(harness.sendAll().map { harness.offset($0) } == Array(0..<15))
    }
}

@Suite struct `What a commit says about its log` {
    private let id = AssignmentID(0)

    private func mark(_ harness: EngineHarness) -> LogMark? {
        harness.takeCommits().last.map { LogMark(metadata: $0.metadata) }
    }

    @Test func `is how many partitions there were, which each commit keeps`() throws {
        let harness = try EngineHarness()
        harness.assign(committed: 0, metadata: "n3;")
        harness.push(offset: 0)
        try harness.sendAndRespond(200)
        harness.settle()
        #expect(mark(harness)?.partitionCount == 3)
    }

    @Test func `is what the source knows if an older version has committed`() throws {
        let harness = try EngineHarness()
        harness.assign(committed: 0, metadata: "c1:0201") { $0.partitionCount = 5 }
        harness.push(offset: 0)
        try harness.sendAndRespond(200)
        harness.settle()
        #expect(mark(harness)?.partitionCount == 5)
    }

    @Test func `is the time of the last record below its offset`() throws {
        let harness = try EngineHarness()
        harness.assign(committed: 0)
        for offset in 0..<4 as Range<Int64> {
            harness.take(
                #"{"device_token":"ab0\#(offset)","payload":{"aps":{"badge":1}}}"#, offset: offset,
                timestamp: EngineHarness.start + offset * 10_000)
        }
        let sent = harness.sendAll()
        for index in [0, 1, 3] { harness.respond(sent[index], 200) }
        harness.settle()
        let commit = try #require(harness.takeCommits().last)
        #expect(commit.next == 2)
        #expect(LogMark(metadata: commit.metadata).time == EngineHarness.start + 10_000)
        harness.respond(sent[2], 200)
        harness.settle()
        #expect(mark(harness)?.time == EngineHarness.start + 30_000)
    }

    @Test func `is no time where times go backwards`() throws {
        let harness = try EngineHarness()
        harness.assign(committed: 0)
        for offset in 0..<2 as Range<Int64> {
            harness.take(
                #"{"device_token":"ab0\#(offset)","payload":{"aps":{"badge":1}}}"#, offset: offset,
                timestamp: EngineHarness.start - offset * 70_000)
        }
        for id in harness.sendAll() { harness.respond(id, 200) }
        harness.settle()
        #expect(mark(harness) == LogMark())
    }

    @Test func `is announced for a partition that was added`() throws {
        let harness = try EngineHarness()
        harness.assign(2, committed: 0, metadata: "n2;") { $0.isAdded = true }
        let position = TopicPartition(topic: "shop.orders", partition: 2)
        #expect(harness.engine.notices == [.partitionAdded(position, offset: 0)])
    }
}
