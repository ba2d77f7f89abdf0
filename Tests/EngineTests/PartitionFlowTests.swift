import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `A partition that is replaced while it is paused` {
    private let old = AssignmentID(0)
    private let reset = PositionReset(cause: .replaced, from: 3, to: 0, gone: nil)

    /// A harness whose only partition is paused, because a retry found no room to wait.
    private func harness() throws -> EngineHarness {
        let harness = try EngineHarness { $0.maxWaiting = 1 }
        harness.assign()
        for offset in 0..<2 {
            harness.push("ab0\(offset)", offset: Int64(offset))
            harness.respond(try #require(harness.send()), 503, "ServiceUnavailable")
        }
        let change = try #require(harness.flowChange())
        #expect(change.pause == [old] && change.resume.isEmpty)
        return harness
    }

    @Test func `flows under its new assignment`() throws {
        let harness = try harness()
        let new = harness.replace(old, reset)
        #expect(harness.flowChange()?.pause.contains(new) != true)
        harness.push("ab02", offset: 0, of: new)
        #expect(harness.openRecords == 3)
    }

    @Test func `is paused again when a record of the new log finds no room to wait`() throws {
        let harness = try harness()
        let new = harness.replace(old, reset)
        _ = harness.flowChange()
        harness.push("ab02", offset: 0, of: new)
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable")
        let change = try #require(harness.flowChange())
        #expect(change.pause == [new] && change.resume.isEmpty)
    }

    @Test func `stays paused while the window is full`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.engine.intakeCell.value.flow.pauseEverything(true)
        #expect(harness.flowChange()?.pause == [old])
        let new = harness.replace(old, reset)
        #expect(harness.flowChange()?.pause == [new])
        harness.engine.intakeCell.value.flow.pauseEverything(false)
        #expect(harness.flowChange()?.resume == [new])
    }
}
