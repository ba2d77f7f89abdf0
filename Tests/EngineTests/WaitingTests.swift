import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A push that waits for a retry` {
    private func desk(
        _ tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineDesk {
        let desk = try EngineDesk {
            $0.maxInFlight = 4
            $0.maxWaiting = 2
            tweak(&$0)
        }
        desk.assign()
        return desk
    }

    private func makeWait(_ count: Int, in desk: EngineDesk, from offset: Int64 = 0) throws {
        for index in 0..<Int64(count) {
            desk.push("a\(offset + index)", offset: offset + index)
            desk.answer(try #require(desk.send()), 503, "ServiceUnavailable", retryAfter: 60)
        }
    }

    @Test func `takes up no room in the window`() throws {
        let desk = try desk()
        try makeWait(2, in: desk)
        #expect(desk.engine.window.records == 0)
        #expect(desk.engine.window.bytes == 0)
        #expect(desk.engine.waitingWindow.records == 2)
        #expect(desk.flowChange() == nil)
    }

    @Test func `stays in the window and pauses its partition if there is no more room`() throws {
        let desk = try desk()
        let other = desk.assign(1)
        try makeWait(3, in: desk)
        #expect(desk.engine.window.records == 1)
        #expect(desk.engine.waitingWindow.records == 2)
        let change = desk.flowChange()
        #expect(change == FlowChange(pause: [AssignmentID(0)]))
        #expect(desk.owned == [AssignmentID(0), other])
    }

    @Test func `resumes its partition when there is room again`() throws {
        let desk = try desk()
        try makeWait(3, in: desk)
        _ = desk.flowChange()
        desk.pass(milliseconds: 60_000)
        for push in desk.sendAll() { desk.answer(push, 200) }
        #expect(desk.flowChange() == nil)
        desk.settle()
        let change = desk.flowChange()
        #expect(change == FlowChange(resume: [AssignmentID(0)]))
        #expect(desk.engine.window.records == 0)
        #expect(desk.engine.waitingWindow.records == 0)
        #expect(desk.engine.waitingWindow.bytes == 0)
    }

    @Test func `keeps successors that arrive later out of the window`() throws {
        let desk = try desk {
            $0.ordering = .partition
            $0.maxWaiting = 10
        }
        try makeWait(1, in: desk)
        for offset in 1..<5 { desk.push("b\(offset)", offset: Int64(offset)) }
        #expect(desk.engine.window.records == 0)
        #expect(desk.engine.waitingWindow.records == 5)
    }

    @Test func `takes its queued successors out of the window`() throws {
        let desk = try desk {
            $0.ordering = .partition
            $0.maxWaiting = 10
        }
        for offset in 0..<4 { desk.push(offset: Int64(offset)) }
        #expect(desk.engine.window.records == 4)
        desk.answer(try #require(desk.send()), 503, "ServiceUnavailable", retryAfter: 60)
        #expect(desk.engine.window.records == 0)
        desk.pass(milliseconds: 60_000)
        for _ in 0..<4 { try desk.sendAndAnswer(200) }
        desk.settle()
        #expect(desk.engine.waitingWindow.records == 0)
        #expect(desk.next() == 4)
    }

    @Test func `leaves the window only when all open pushes of its record wait`() throws {
        let desk = try desk()
        desk.take(
            #"{"device_tokens":["aa","bb"],"payload":{"aps":{"alert":"Hi"}}}"#, offset: 0)
        let pushes = desk.sendAll()
        desk.answer(pushes[0], 503, "ServiceUnavailable", retryAfter: 60)
        #expect(desk.engine.window.records == 1)
        desk.answer(pushes[1], 200)
        #expect(desk.engine.window.records == 1)
        desk.settle()
        #expect(desk.engine.window.records == 0)
        #expect(desk.engine.waitingWindow.records == 1)
    }

    @Test func `frees its room when its partition is lost`() throws {
        let desk = try desk()
        try makeWait(2, in: desk)
        desk.engine.lost([AssignmentID(0)])
        #expect(desk.engine.waitingWindow.records == 0)
        #expect(desk.openRecords == 0)
    }
}

@Suite struct `The flow of a partition` {
    @Test func `is paused if it is assigned while everything is paused`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.engine.flow.pauseEverything(true)
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        let other = desk.assign(1)
        #expect(desk.flowChange() == FlowChange(pause: [other]))
        desk.engine.flow.pauseEverything(false)
        #expect(desk.flowChange() == FlowChange(resume: [AssignmentID(0), other]))
        #expect(desk.flowChange() == nil)
    }

    @Test func `is resumed only when both the window and an operator allow it`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.engine.setPaused(true)
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        desk.engine.flow.pauseEverything(true)
        desk.engine.setPaused(false)
        #expect(desk.flowChange() == FlowChange())
        desk.engine.flow.pauseEverything(false)
        #expect(desk.flowChange() == FlowChange(resume: [AssignmentID(0)]))
    }

    @Test func `is paused if it is assigned while an operator has paused the connector`() throws {
        let desk = try EngineDesk()
        desk.engine.setPaused(true)
        let assigned = desk.assign()
        #expect(desk.flowChange() == FlowChange(pause: [assigned]))
        desk.engine.regulateIntake()
        let isPaused = desk.engine.isPaused
        #expect(isPaused)
        #expect(desk.flowChange() == nil)
    }

    @Test func `is resumed when both reasons to pause it have ended`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.engine.flow.pause(AssignmentID(0), for: .noRoomToWait)
        desk.engine.flow.pauseEverything(true)
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        desk.engine.flow.pauseEverything(false)
        #expect(desk.flowChange() == FlowChange())
        desk.engine.flow.resumeAll(from: .noRoomToWait)
        #expect(desk.flowChange() == FlowChange(resume: [AssignmentID(0)]))
    }
}
