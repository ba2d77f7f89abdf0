import Delivery
import Testing

@testable import Engine

@Suite struct `A partition that comes back to its worker` {
    private let id = AssignmentID(0)

    /// Records 10 to 14 are sent; 10, 12 and 13 are done, and nothing is committed.
    private func desk() throws -> (EngineDesk, [PushID]) {
        let desk = try EngineDesk()
        desk.assign(committed: 10)
        for offset in 10..<15 as Range<Int64> { desk.push("ab\(offset)", offset: offset) }
        let sent = desk.sendAll()
        try #require(sent.count == 5)
        for index in [0, 2, 3] { desk.answer(sent[index], 200) }
        desk.settle()
        return (desk, sent)
    }

    /// The offsets that are sent when the partition is read again.
    private func sentAgain(
        _ desk: EngineDesk, tweak: (inout AssignedPartition) -> Void
    ) -> [Int64] {
        let back = desk.assign(committed: 10, tweak: tweak)
        for offset in 10..<15 as Range<Int64> {
            desk.push("ab\(offset)", offset: offset, of: back)
        }
        return desk.sendAll().map { desk.offset($0) }
    }

    @Test func `does not repeat what was done when it was lost`() throws {
        let (desk, _) = try desk()
        desk.engine.lost([id])
        #expect(sentAgain(desk) { $0.isOwn = true } == [11, 14])
        let commit = try #require(desk.takeCommits().last)
        let done = CompletedOffsets(text: commit.metadata, from: commit.next)
        #expect(commit.next == 11 && done.ranges == [12..<14])
    }

    @Test func `does not repeat what Kafka has acknowledged after it was lost`() throws {
        let (desk, sent) = try desk()
        desk.engine.lost([id])
        desk.answer(sent[1], 200)
        desk.settle()
        #expect(sentAgain(desk) { $0.isOwn = true } == [14])
    }

    @Test func `does not repeat what its last commit did not get to Kafka`() throws {
        let (desk, _) = try desk()
        desk.engine.revoking([id])
        desk.pass(milliseconds: 20_000)
        guard case .commit = desk.handover(commitsAreDone: true) else {
            Issue.record("no last commit")
            return
        }
        desk.pass(milliseconds: 20_000)
        #expect(desk.handover(commitsAreDone: false) == .giveUp([id]))
        #expect(sentAgain(desk) { $0.isOwn = true } == [11, 14])
    }

    @Test func `is read as it is committed if another member has read it since`() throws {
        let (desk, _) = try desk()
        desk.engine.lost([id])
        #expect(sentAgain(desk) { $0.isOwn = false } == [10, 11, 12, 13, 14])
    }

    @Test func `is read as it is committed if its log was replaced`() throws {
        let (desk, _) = try desk()
        desk.engine.lost([id])
        let offsets = sentAgain(desk) {
            $0.isOwn = true
            $0.reset = PositionReset(cause: .replaced, from: 15, to: 10, gone: nil)
        }
        #expect(offsets == [10, 11, 12, 13, 14])
    }

    @Test func `is read as it is committed if its log is replaced once it is back`() throws {
        let (desk, _) = try desk()
        desk.engine.lost([id])
        let back = desk.assign(committed: 10) { $0.isOwn = true }
        let reset = PositionReset(cause: .replaced, from: 10, to: 0, gone: nil)
        let new = desk.replace(back, reset)
        for offset in 0..<15 as Range<Int64> {
            desk.push("ab\(10 + offset)", offset: offset, of: new)
        }
        #expect(desk.sendAll().map { desk.offset($0) } == Array(0..<15))
    }
}

@Suite struct `What a commit says about its log` {
    private let id = AssignmentID(0)

    private func mark(_ desk: EngineDesk) -> LogMark? {
        desk.takeCommits().last.map { LogMark(metadata: $0.metadata) }
    }

    @Test func `is how many partitions there were, which each commit keeps`() throws {
        let desk = try EngineDesk()
        desk.assign(committed: 0, metadata: "n3;")
        desk.push(offset: 0)
        try desk.sendAndAnswer(200)
        desk.settle()
        #expect(mark(desk)?.partitionCount == 3)
    }

    @Test func `is what the source knows if an older version has committed`() throws {
        let desk = try EngineDesk()
        desk.assign(committed: 0, metadata: "c1:0201") { $0.partitionCount = 5 }
        desk.push(offset: 0)
        try desk.sendAndAnswer(200)
        desk.settle()
        #expect(mark(desk)?.partitionCount == 5)
    }

    @Test func `is the time of the last record below its offset`() throws {
        let desk = try EngineDesk()
        desk.assign(committed: 0)
        for offset in 0..<4 as Range<Int64> {
            desk.take(
                #"{"device_token":"ab0\#(offset)","payload":{"aps":{"badge":1}}}"#, offset: offset,
                timestamp: EngineDesk.start + offset * 10_000)
        }
        let sent = desk.sendAll()
        for index in [0, 1, 3] { desk.answer(sent[index], 200) }
        desk.settle()
        let commit = try #require(desk.takeCommits().last)
        #expect(commit.next == 2)
        #expect(LogMark(metadata: commit.metadata).time == EngineDesk.start + 10_000)
        desk.answer(sent[2], 200)
        desk.settle()
        #expect(mark(desk)?.time == EngineDesk.start + 30_000)
    }

    @Test func `is no time where times go backwards`() throws {
        let desk = try EngineDesk()
        desk.assign(committed: 0)
        for offset in 0..<2 as Range<Int64> {
            desk.take(
                #"{"device_token":"ab0\#(offset)","payload":{"aps":{"badge":1}}}"#, offset: offset,
                timestamp: EngineDesk.start - offset * 70_000)
        }
        for id in desk.sendAll() { desk.answer(id, 200) }
        desk.settle()
        #expect(mark(desk) == LogMark())
    }

    @Test func `is announced for a partition that was added`() throws {
        let desk = try EngineDesk()
        desk.assign(2, committed: 0, metadata: "n2;") { $0.isAdded = true }
        let place = TopicPartition(topic: "shop.orders", partition: 2)
        #expect(desk.engine.notices == [.partitionAdded(place, offset: 0)])
    }
}
