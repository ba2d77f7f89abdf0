import Delivery
import Testing

@testable import Engine

@Suite struct `A partition whose log is gone` {
    private let old = AssignmentID(0)
    private let reset = PositionReset(cause: .expired, from: 3, to: 100, gone: 97)

    /// Records 0 to 2, of which 0 is sent, before the log is replaced.
    private func desk() throws -> (EngineDesk, sent: PushID, new: AssignmentID) {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<3 { desk.push("ab0\(offset)", offset: Int64(offset)) }
        let sent = try #require(desk.send())
        return (desk, sent, desk.replace(old, reset))
    }

    @Test func `finishes all records it has read, as they cannot be read again`() throws {
        let (desk, sent, _) = try desk()
        desk.answer(sent, 200)
        for push in desk.sendAll() { desk.answer(push, 200) }
        #expect(desk.settle().outcomes.count == 3)
        #expect(desk.openRecords == 0)
        #expect(desk.engine.partitions[old] == nil)
    }

    @Test func `retries its pushes as usual`() throws {
        let (desk, sent, _) = try desk()
        desk.answer(sent, 503, "ServiceUnavailable")
        desk.pass(milliseconds: 5000)
        #expect(desk.sendAll().contains(sent))
    }

    @Test func `is not committed again, and is read on under a new assignment`() throws {
        let (desk, sent, new) = try desk()
        desk.answer(sent, 200)
        desk.settle()
        #expect(desk.takeCommits().isEmpty)
        desk.push(offset: 3, of: old)
        #expect(desk.openRecords == 2)
        desk.push(offset: 100, of: new)
        for push in desk.sendAll() { desk.answer(push, 200) }
        desk.settle()
        let commit = OffsetCommit(assignment: new, next: 101, metadata: EngineDesk.mark)
        #expect(desk.takeCommits() == [commit])
    }

    @Test func `raises one alarm that names what is gone, and is counted`() throws {
        let (desk, _, _) = try desk()
        #expect(desk.engine.notices == [.positionReset(EngineDesk.orders, reset)])
        #expect(desk.engine.counters.positionResets == 1)
        #expect(desk.engine.counters.recordsGone == 97)
    }

    @Test func `is finished while the worker stops, with dead letters for the rest`() throws {
        let (desk, sent, _) = try desk()
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        let others = desk.sendAll()
        #expect(others.count == 2)
        desk.answer(sent, 200)
        desk.answer(others[0], 503, "ServiceUnavailable")
        desk.engine.close()
        desk.engine.notSent(others[1])
        #expect(desk.send() == nil)
        let published = desk.settle()
        #expect(published.outcomes.count == 3)
        #expect(published.deadLetters.count == 2)
        #expect(desk.openRecords == 0)
    }

    @Test func `is finished even if the partition is revoked`() throws {
        let (desk, _, new) = try desk()
        desk.engine.revoking([new])
        #expect(desk.sendAll().count == 2)
        #expect(desk.handover(commitsAreDone: true) == .commit([]))
        #expect(desk.handover(commitsAreDone: true) == .giveUp([new]))
    }
}
