import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A pause by an operator` {
    private func harness(tweak: (inout EngineSettings) -> Void = { _ in }) throws -> EngineHarness {
        let harness = try EngineHarness(tweak: tweak)
        harness.assign()
        for offset in 0..<10 { harness.push("ab\(10 + offset)", offset: Int64(offset)) }
        return harness
    }

    @Test func `stops sending at once, and what is in flight ends`() throws {
        let harness = try harness()
        let first = try #require(harness.send())
        harness.engine.setPaused(true)
        #expect(harness.send() == nil)
        harness.respond(first, 200)
        #expect(harness.settle().count == 1)
        #expect(harness.send() == nil)
        #expect(harness.engine.openPushes == 9)
        harness.engine.setPaused(false)
        #expect(harness.sendAll().map(harness.offset) == [1, 2, 3, 4, 5, 6, 7, 8, 9])
    }

    @Test func `also holds retries that become due`() throws {
        let harness = try harness()
        for id in harness.sendAll() { harness.respond(id, 503, "ServiceUnavailable") }
        harness.engine.setPaused(true)
        harness.pass(milliseconds: 60_000)
        #expect(harness.send() == nil)
        harness.engine.setPaused(false)
        #expect(harness.sendAll().count == 10)
    }

    @Test func `costs pushes no time, however long it lasts`() throws {
        let harness = try harness { $0.retry.giveUpAfter = .seconds(60) }
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable")
        harness.engine.setPaused(true)
        for _ in 0..<10 { harness.pass(milliseconds: 600_000) }
        #expect(harness.settle().isEmpty)
        harness.engine.setPaused(false)
        harness.pass(milliseconds: 1000)
        #expect(harness.settle().isEmpty)
        #expect(harness.sendAll().count == 10)
    }

    @Test func `lets pushes expire`() throws {
        let harness = try harness()
        harness.push(offset: 10, more: #","expiration":\#(EngineHarness.start / 1000 + 5)"#)
        harness.engine.setPaused(true)
        harness.pass(milliseconds: 6000)
        #expect(harness.settle().outcomes.count == 1)
    }

    @Test func `finishes a record that was sent in part when its partition is revoked`() throws {
        let harness = try EngineHarness()
        harness.assign()
        let event = #"{"device_tokens":["aa","bb"],"payload":{"aps":{"badge":1}}}"#
        harness.take(event, offset: 0)
        let first = try #require(harness.send())
        harness.engine.setPaused(true)
        #expect(harness.send() == nil)
        harness.engine.revoking([AssignmentID(0)])
        harness.engine.startSending()
        let second = try #require(harness.send())
        for id in [first, second] { harness.respond(id, 200) }
        #expect(harness.settle().count == 2)
        #expect(harness.next() == 1)
    }

    @Test func `leaves unsent pushes to the next start when the worker stops`() throws {
        let harness = try harness()
        harness.engine.setPaused(true)
        #expect(harness.send() == nil)
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        #expect(harness.send() == nil)
        #expect(harness.openRecords == 0 && harness.next() == 0)
    }
}
