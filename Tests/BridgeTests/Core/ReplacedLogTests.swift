import Delivery
import Testing

@testable import Bridge

@Suite struct `A partition whose log is gone` {
    private let old = AssignmentID(0)
    private let reset = PositionReset(cause: .expired, from: 3, to: 100, gone: 97)

    /// Records 0 to 2, of which 0 is sent, in a log that is replaced then.
    private func desk() throws -> (CoreDesk, sent: Int, new: AssignmentID) {
        let desk = try CoreDesk()
        desk.assign()
        for offset in 0..<3 { desk.push("ab0\(offset)", offset: Int64(offset)) }
        let sent = try #require(desk.send())
        return (desk, sent, desk.replace(old, reset))
    }

    @Test func `has everything finished that was taken of it, for nobody can read it again`()
        throws
    {
        let (desk, sent, _) = try desk()
        desk.answer(sent, 200)
        for place in desk.sendAll() { desk.answer(place, 200) }
        #expect(desk.settle().outcomes.count == 3)
        #expect(desk.openRecords == 0)
        #expect(desk.core.partitions[old] == nil)
    }

    @Test func `has retries as any other`() throws {
        let (desk, sent, _) = try desk()
        desk.answer(sent, 503, "ServiceUnavailable")
        desk.pass(milliseconds: 5000)
        #expect(desk.sendAll().contains(sent))
    }

    @Test func `is never committed again, and is read on under its new assignment`() throws {
        let (desk, sent, new) = try desk()
        desk.answer(sent, 200)
        desk.settle()
        #expect(desk.core.takeCommits().isEmpty)
        desk.push(offset: 3, of: old)
        #expect(desk.openRecords == 2)
        desk.push(offset: 100, of: new)
        for place in desk.sendAll() { desk.answer(place, 200) }
        desk.settle()
        #expect(
            desk.core.takeCommits() == [OffsetCommit(assignment: new, next: 101, metadata: "")])
    }

    @Test func `is one line of alarm that names what is gone, and is counted`() throws {
        let (desk, _, _) = try desk()
        let notice = try #require(desk.core.notices.first)
        #expect(desk.core.notices.count == 1)
        #expect(notice.level == .error)
        let details = Dictionary(uniqueKeysWithValues: notice.details)
        #expect(details["topic"] == "shop.orders")
        #expect(details["partition"] == "0")
        #expect(details["old_offset"] == "3")
        #expect(details["new_offset"] == "100")
        #expect(details["records_gone"] == "at most 97")
        #expect(desk.core.counters.positionResets == 1)
        #expect(desk.core.counters.recordsGone == 97)
    }

    @Test func `is finished while the worker stops, and given up with a dead letter in the end`()
        throws
    {
        let (desk, sent, _) = try desk()
        desk.core.drain(until: desk.core.now + 10_000_000_000)
        let others = desk.sendAll()
        #expect(others.count == 2)
        desk.answer(sent, 200)
        desk.answer(others[0], 503, "ServiceUnavailable")
        desk.core.close()
        desk.core.notSent(others[1])
        #expect(desk.send() == nil)
        let published = desk.settle()
        #expect(published.outcomes.count == 3)
        #expect(published.deadLetters.count == 2)
        #expect(desk.openRecords == 0)
    }

    @Test func `is finished although its partition is given back`() throws {
        let (desk, _, new) = try desk()
        desk.core.revoking([new])
        #expect(desk.sendAll().count == 2)
        #expect(desk.core.nextHandover(commitsAreDone: true) == .commit([]))
        #expect(desk.core.nextHandover(commitsAreDone: true) == .giveUp([new]))
    }
}
