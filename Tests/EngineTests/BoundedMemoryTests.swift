import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `What a worker remembers of pushes` {
    @Test func `has few deadlines of pushes that do not wait any more`() throws {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<2000 as Range<Int64> {
            let soon = desk.engine.wallClock / 1000 + 1
            desk.push("ab01", offset: offset, more: #","expiration":\#(soon)"#)
            desk.answer(try #require(desk.send()), 503, "ServiceUnavailable", retryAfter: 3000)
            desk.pass(milliseconds: 2000)
            #expect(desk.settle().count == 1)
        }
        #expect(desk.engine.retries.count <= 66)
    }

    @Test func `still sends what waits after others were forgotten`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push("ab00", offset: 0)
        desk.answer(try #require(desk.send()), 503, "ServiceUnavailable", retryAfter: 600)
        for offset in 1..<200 as Range<Int64> {
            let soon = desk.engine.wallClock / 1000 + 1
            desk.push("ab01", offset: offset, more: #","expiration":\#(soon)"#)
            desk.answer(try #require(desk.send()), 503, "ServiceUnavailable", retryAfter: 3000)
            desk.pass(milliseconds: 2000)
        }
        #expect(desk.engine.retries.count <= 600)
        desk.pass(milliseconds: 300_000)
        #expect(desk.sendAll().map(desk.offset) == [0])
    }

    @Test func `counts what is kept about dropped pushes against the window`() throws {
        let desk = try EngineDesk()
        desk.assign()
        let tokens = Array(repeating: #""no token""#, count: 1000).joined(separator: ",")
        let event = #"{"device_tokens":[\#(tokens)],"payload":{"aps":{"badge":1}}}"#
        desk.take(event, offset: 0)
        let pushes = desk.engine.openPushes
        #expect(pushes > 0)
        let least = event.utf8.count + pushes * MemoryLayout<PushDetails>.stride
        #expect(desk.engine.openBytes > least)
        desk.settle()
        #expect(desk.engine.openBytes == 0)
    }
}
