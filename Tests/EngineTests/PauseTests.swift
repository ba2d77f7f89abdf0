import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A pause by an operator` {
    private func desk(tweak: (inout EngineSettings) -> Void = { _ in }) throws -> EngineDesk {
        let desk = try EngineDesk(tweak: tweak)
        desk.assign()
        for offset in 0..<10 { desk.push("ab\(10 + offset)", offset: Int64(offset)) }
        return desk
    }

    @Test func `stops sending at once, and what is in flight ends`() throws {
        let desk = try desk()
        let first = try #require(desk.send())
        desk.engine.setPaused(true)
        #expect(desk.send() == nil)
        desk.answer(first, 200)
        #expect(desk.settle().count == 1)
        #expect(desk.send() == nil)
        #expect(desk.engine.openPushes == 9)
        desk.engine.setPaused(false)
        #expect(desk.sendAll().map(desk.offset) == [1, 2, 3, 4, 5, 6, 7, 8, 9])
    }

    @Test func `also holds retries that become due`() throws {
        let desk = try desk()
        for id in desk.sendAll() { desk.answer(id, 503, "ServiceUnavailable") }
        desk.engine.setPaused(true)
        desk.pass(milliseconds: 60_000)
        #expect(desk.send() == nil)
        desk.engine.setPaused(false)
        #expect(desk.sendAll().count == 10)
    }

    @Test func `costs pushes no time, however long it lasts`() throws {
        let desk = try desk { $0.retry.giveUpAfter = .seconds(60) }
        desk.answer(try #require(desk.send()), 503, "ServiceUnavailable")
        desk.engine.setPaused(true)
        for _ in 0..<10 { desk.pass(milliseconds: 600_000) }
        #expect(desk.settle().isEmpty)
        desk.engine.setPaused(false)
        desk.pass(milliseconds: 1000)
        #expect(desk.settle().isEmpty)
        #expect(desk.sendAll().count == 10)
    }

    @Test func `lets pushes expire`() throws {
        let desk = try desk()
        desk.push(offset: 10, more: #","expiration":\#(EngineDesk.start / 1000 + 5)"#)
        desk.engine.setPaused(true)
        desk.pass(milliseconds: 6000)
        #expect(desk.settle().outcomes.count == 1)
    }

    @Test func `finishes a record that was sent in part when its partition is revoked`() throws {
        let desk = try EngineDesk()
        desk.assign()
        let event = #"{"device_tokens":["aa","bb"],"payload":{"aps":{"badge":1}}}"#
        desk.take(event, offset: 0)
        let first = try #require(desk.send())
        desk.engine.setPaused(true)
        #expect(desk.send() == nil)
        desk.engine.revoking([AssignmentID(0)])
        desk.engine.startSending()
        let second = try #require(desk.send())
        for id in [first, second] { desk.answer(id, 200) }
        #expect(desk.settle().count == 2)
        #expect(desk.next() == 1)
    }

    @Test func `leaves unsent pushes to the next start when the worker stops`() throws {
        let desk = try desk()
        desk.engine.setPaused(true)
        #expect(desk.send() == nil)
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        #expect(desk.send() == nil)
        #expect(desk.openRecords == 0 && desk.next() == 0)
    }
}
