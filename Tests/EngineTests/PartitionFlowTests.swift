import Delivery
import Testing

@testable import Engine

@Suite struct `A partition that is replaced while it is paused` {
    private let old = AssignmentID(0)
    private let reset = PositionReset(cause: .replaced, from: 3, to: 0, gone: nil)

    /// A desk whose only partition is paused, because a retry found no room to wait.
    private func desk() throws -> EngineDesk {
        let desk = try EngineDesk { $0.maxWaiting = 1 }
        desk.assign()
        for offset in 0..<2 {
            desk.push("ab0\(offset)", offset: Int64(offset))
            desk.answer(try #require(desk.send()), 503, "ServiceUnavailable")
        }
        let change = try #require(desk.flowChange())
        #expect(change.pause == [old] && change.resume.isEmpty)
        return desk
    }

    @Test func `flows under its new assignment`() throws {
        let desk = try desk()
        let new = desk.replace(old, reset)
        #expect(desk.flowChange()?.pause.contains(new) != true)
        desk.push("ab02", offset: 0, of: new)
        #expect(desk.openRecords == 3)
    }

    @Test func `is paused again when a record of the new log finds no room to wait`() throws {
        let desk = try desk()
        let new = desk.replace(old, reset)
        _ = desk.flowChange()
        desk.push("ab02", offset: 0, of: new)
        desk.answer(try #require(desk.send()), 503, "ServiceUnavailable")
        let change = try #require(desk.flowChange())
        #expect(change.pause == [new] && change.resume.isEmpty)
    }

    @Test func `stays paused while the window is full`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.engine.flow.pauseEverything(true)
        #expect(desk.flowChange()?.pause == [old])
        let new = desk.replace(old, reset)
        #expect(desk.flowChange()?.pause == [new])
        desk.engine.flow.pauseEverything(false)
        #expect(desk.flowChange()?.resume == [new])
    }
}
