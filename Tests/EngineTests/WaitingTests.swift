import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `A push that waits for a retry` {
    private func harness(
        _ tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let harness = try EngineHarness {
            $0.maxInFlight = 4
            $0.maxWaiting = 2
            tweak(&$0)
        }
        harness.assign()
        return harness
    }

    private func makeWait(_ count: Int, in harness: EngineHarness, from offset: Int64 = 0) throws {
        for index in 0..<Int64(count) {
            harness.push("a\(offset + index)", offset: offset + index)
            harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 60)
        }
    }

    @Test func `takes up no room in the window`() throws {
        let harness = try harness()
        try makeWait(2, in: harness)
        #expect(harness.recordsInFlight == 0)
        #expect(harness.engine.intakeCell.value.window.bytes == 0)
        #expect(harness.waitingRecords == 2)
        #expect(harness.flowChange() == nil)
    }

    @Test func `stays in the window and pauses its partition if there is no more room`() throws {
        let harness = try harness()
        let other = harness.assign(1)
        try makeWait(3, in: harness)
        #expect(harness.recordsInFlight == 1)
        #expect(harness.waitingRecords == 2)
        let change = harness.flowChange()
        #expect(change == FlowChange(pause: [AssignmentID(0)]))
        #expect(harness.owned == [AssignmentID(0), other])
    }

    @Test func `resumes its partition when there is room again`() throws {
        let harness = try harness()
        try makeWait(3, in: harness)
        _ = harness.flowChange()
        harness.pass(milliseconds: 60_000)
        for push in harness.sendAll() { harness.respond(push, 200) }
        #expect(harness.flowChange() == nil)
        harness.settle()
        let change = harness.flowChange()
        #expect(change == FlowChange(resume: [AssignmentID(0)]))
        #expect(harness.recordsInFlight == 0)
        #expect(harness.waitingRecords == 0)
        #expect(harness.engine.intakeCell.value.waitingBytes == 0)
    }

    @Test func `keeps successors that arrive later out of the window`() throws {
        let harness = try harness {
            $0.ordering = .partition
            $0.maxWaiting = 10
        }
        try makeWait(1, in: harness)
        for offset in 1..<5 { harness.push("b\(offset)", offset: Int64(offset)) }
        #expect(harness.recordsInFlight == 0)
        #expect(harness.waitingRecords == 5)
    }

    @Test func `takes its queued successors out of the window`() throws {
        let harness = try harness {
            $0.ordering = .partition
            $0.maxWaiting = 10
        }
        for offset in 0..<4 { harness.push(offset: Int64(offset)) }
        #expect(harness.recordsInFlight == 4)
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 60)
        #expect(harness.recordsInFlight == 0)
        harness.pass(milliseconds: 60_000)
        for _ in 0..<4 { try harness.sendAndRespond(200) }
        harness.settle()
        #expect(harness.waitingRecords == 0)
        #expect(harness.next() == 4)
    }

    @Test func `leaves the window only when all open pushes of its record wait`() throws {
        let harness = try harness()
        harness.take(
            #"{"device_tokens":["aa","bb"],"payload":{"aps":{"alert":"Hi"}}}"#, offset: 0)
        let pushes = harness.sendAll()
        harness.respond(pushes[0], 503, "ServiceUnavailable", retryAfter: 60)
        #expect(harness.recordsInFlight == 1)
        harness.respond(pushes[1], 200)
        #expect(harness.recordsInFlight == 1)
        harness.settle()
        #expect(harness.recordsInFlight == 0)
        #expect(harness.waitingRecords == 1)
    }

    @Test func `frees its room when its partition is lost`() throws {
        let harness = try harness()
        try makeWait(2, in: harness)
        harness.engine.lost([AssignmentID(0)])
        #expect(harness.waitingRecords == 0)
        #expect(harness.openRecords == 0)
    }
}

@Suite struct `The flow of a partition` {
    @Test func `is paused if it is assigned while everything is paused`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.engine.intakeCell.value.flow.pauseEverything(true)
        #expect(harness.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        let other = harness.assign(1)
        #expect(harness.flowChange() == FlowChange(pause: [other]))
        harness.engine.intakeCell.value.flow.pauseEverything(false)
        #expect(harness.flowChange() == FlowChange(resume: [AssignmentID(0), other]))
        #expect(harness.flowChange() == nil)
    }

    @Test func `is resumed only when both the window and an operator allow it`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.engine.setPaused(true)
        #expect(harness.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        harness.engine.intakeCell.value.flow.pauseEverything(true)
        harness.engine.setPaused(false)
        #expect(harness.flowChange() == FlowChange())
        harness.engine.intakeCell.value.flow.pauseEverything(false)
        #expect(harness.flowChange() == FlowChange(resume: [AssignmentID(0)]))
    }

    @Test func `is paused if it is assigned while an operator has paused the connector`() throws {
        let harness = try EngineHarness()
        harness.engine.setPaused(true)
        let assigned = harness.assign()
        #expect(harness.flowChange() == FlowChange(pause: [assigned]))
        harness.engine.regulateIntake()
        let isPaused = harness.engine.isPaused
        #expect(isPaused)
        #expect(harness.flowChange() == nil)
    }

    @Test func `is resumed when both reasons to pause it have ended`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.engine.intakeCell.value.flow.pause(AssignmentID(0), for: .noRoomToWait)
        harness.engine.intakeCell.value.flow.pauseEverything(true)
        #expect(harness.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        harness.engine.intakeCell.value.flow.pauseEverything(false)
        #expect(harness.flowChange() == FlowChange())
        harness.engine.intakeCell.value.flow.resumeAll(from: .noRoomToWait)
        #expect(harness.flowChange() == FlowChange(resume: [AssignmentID(0)]))
    }
}
