import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `A partition whose log is gone` {
    private let old = AssignmentID(0)
    private let reset = PositionReset(cause: .expired, from: 3, to: 100, gone: 97)

    /// Records 0 to 2, of which 0 is sent, before the log is replaced.
    private func harness() throws -> (EngineHarness, sent: PushID, new: AssignmentID) {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<3 { harness.push("ab0\(offset)", offset: Int64(offset)) }
        let sent = try #require(harness.send())
        return (harness, sent, harness.replace(old, reset))
    }

    @Test func `finishes all records it has read, as they cannot be read again`() throws {
        let (harness, sent, _) = try harness()
        harness.respond(sent, 200)
        for push in harness.sendAll() { harness.respond(push, 200) }
        #expect(harness.settle().outcomes.count == 3)
        #expect(harness.openRecords == 0)
        #expect(harness.engine.intakeCell.value.partitions[old] == nil)
    }

    @Test func `retries its pushes as usual`() throws {
        let (harness, sent, _) = try harness()
        harness.respond(sent, 503, "ServiceUnavailable")
        harness.pass(milliseconds: 5000)
        #expect(harness.sendAll().contains(sent))
    }

    @Test func `is not committed again, and is read on under a new assignment`() throws {
        let (harness, sent, new) = try harness()
        harness.respond(sent, 200)
        harness.settle()
        #expect(harness.takeCommits().isEmpty)
        harness.push(offset: 3, of: old)
        #expect(harness.openRecords == 2)
        harness.push(offset: 100, of: new)
        for push in harness.sendAll() { harness.respond(push, 200) }
        harness.settle()
        let commit = OffsetCommit(assignment: new, next: 101, metadata: EngineHarness.mark)
        #expect(harness.takeCommits() == [commit])
    }

    @Test func `raises one alarm that names what is gone, and is counted`() throws {
        let (harness, _, _) = try harness()
        #expect(harness.engine.notices == [.positionReset(EngineHarness.orders, reset)])
        #expect(harness.engine.counters.positionResets == 1)
        #expect(harness.engine.counters.recordsGone == 97)
    }

    @Test func `is finished while the worker stops, with dead letters for the rest`() throws {
        let (harness, sent, _) = try harness()
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        let others = harness.sendAll()
        #expect(others.count == 2)
        harness.respond(sent, 200)
        harness.respond(others[0], 503, "ServiceUnavailable")
        harness.engine.close()
        harness.engine.notSent(others[1])
        #expect(harness.send() == nil)
        let published = harness.settle()
        #expect(published.outcomes.count == 3)
        #expect(published.deadLetters.count == 2)
        #expect(harness.openRecords == 0)
    }

    @Test func `is finished even if the partition is revoked`() throws {
        let (harness, _, new) = try harness()
        harness.engine.revoking([new])
        #expect(harness.sendAll().count == 2)
        #expect(harness.handover(commitsAreDone: true) == .commit([]))
        #expect(harness.handover(commitsAreDone: true) == .release([new]))
    }
}
