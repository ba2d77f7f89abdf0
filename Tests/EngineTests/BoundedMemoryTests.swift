import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `What a worker remembers of pushes` {
    @Test func `has few deadlines of pushes that do not wait any more`() throws {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<2000 as Range<Int64> {
            let soon = harness.engine.wallClock / 1000 + 1
            harness.push("ab01", offset: offset, more: #","expiration":\#(soon)"#)
            harness.respond(
                try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 3000)
            harness.pass(milliseconds: 2000)
            #expect(harness.settle().count == 1)
        }
        #expect(harness.engine.waitingCell.value.referenceCount <= 66)
    }

    @Test func `still sends what waits after others were forgotten`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push("ab00", offset: 0)
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 600)
        for offset in 1..<200 as Range<Int64> {
            let soon = harness.engine.wallClock / 1000 + 1
            harness.push("ab01", offset: offset, more: #","expiration":\#(soon)"#)
            harness.respond(
                try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 3000)
            harness.pass(milliseconds: 2000)
        }
        #expect(harness.engine.waitingCell.value.referenceCount <= 600)
        harness.pass(milliseconds: 300_000)
        #expect(harness.sendAll().map(harness.offset) == [0])
    }

    @Test func `counts what is kept about dropped pushes against the window`() throws {
        let harness = try EngineHarness()
        harness.assign()
        let tokens = Array(repeating: #""no token""#, count: 1000).joined(separator: ",")
        let event = #"{"device_tokens":[\#(tokens)],"payload":{"aps":{"badge":1}}}"#
        harness.take(event, offset: 0)
        let pushes = harness.engine.openPushes
        #expect(pushes > 0)
        let least = event.utf8.count + pushes * MemoryLayout<PushDetails>.stride
        #expect(harness.engine.openBytes > least)
        harness.settle()
        #expect(harness.engine.openBytes == 0)
    }
}
