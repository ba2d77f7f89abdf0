import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `What waits for a retry` {
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

    private func park(_ count: Int, in desk: EngineDesk, from offset: Int64 = 0) throws {
        for index in 0..<Int64(count) {
            desk.push("a\(offset + index)", offset: offset + index)
            desk.answer(try #require(desk.send()), 503, "ServiceUnavailable", retryAfter: 60)
        }
    }

    @Test func `takes no place in the window`() throws {
        let desk = try desk()
        try park(2, in: desk)
        #expect(desk.engine.window.records == 0)
        #expect(desk.engine.window.bytes == 0)
        #expect(desk.engine.waitingWindow.records == 2)
        #expect(desk.flowChange() == nil)
    }

    @Test func `stays in the window and pauses its partition when there is no more room`() throws {
        let desk = try desk()
        let other = desk.assign(1)
        try park(3, in: desk)
        #expect(desk.engine.window.records == 1)
        #expect(desk.engine.waitingWindow.records == 2)
        let change = desk.flowChange()
        #expect(change == FlowChange(pause: [AssignmentID(0)]))
        #expect(desk.owned == [AssignmentID(0), other])
    }

    @Test func `lets its partition flow again when there is room`() throws {
        let desk = try desk()
        try park(3, in: desk)
        _ = desk.flowChange()
        desk.pass(milliseconds: 60_000)
        for place in desk.sendAll() { desk.answer(place, 200) }
        #expect(desk.flowChange() == nil)
        desk.settle()
        let change = desk.flowChange()
        #expect(change == FlowChange(resume: [AssignmentID(0)]))
        #expect(desk.engine.window.records == 0)
        #expect(desk.engine.waitingWindow.records == 0)
        #expect(desk.engine.waitingWindow.bytes == 0)
    }

    @Test func `takes no place in the window either when it stands in a row behind one`() throws {
        let desk = try desk {
            $0.ordering = .partition
            $0.maxWaiting = 10
        }
        try park(1, in: desk)
        for offset in 1..<5 { desk.push("b\(offset)", offset: Int64(offset)) }
        #expect(desk.engine.window.records == 0)
        #expect(desk.engine.waitingWindow.records == 5)
    }

    @Test func `takes its row along that stood behind it before`() throws {
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

    @Test func `leaves the window only when all that is left of its record waits`() throws {
        let desk = try desk()
        desk.take(
            #"{"device_tokens":["aa","bb"],"payload":{"aps":{"alert":"Hi"}}}"#, offset: 0)
        let places = desk.sendAll()
        desk.answer(places[0], 503, "ServiceUnavailable", retryAfter: 60)
        #expect(desk.engine.window.records == 1)
        desk.answer(places[1], 200)
        #expect(desk.engine.window.records == 1)
        desk.settle()
        #expect(desk.engine.window.records == 0)
        #expect(desk.engine.waitingWindow.records == 1)
    }

    @Test func `gives its place back when its partition is lost`() throws {
        let desk = try desk()
        try park(2, in: desk)
        desk.engine.lost([AssignmentID(0)])
        #expect(desk.engine.waitingWindow.records == 0)
        #expect(desk.openRecords == 0)
    }
}

@Suite struct `The flow of a partition` {
    @Test func `that is assigned while nothing flows is stopped`() throws {
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

    @Test func `that has two reasons to stand still goes on when both have ended`() throws {
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
