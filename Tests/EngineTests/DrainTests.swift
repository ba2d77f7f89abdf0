import Delivery
import Testing

@testable import Engine

@Suite struct `A worker that is asked to stop` {
    private func draining() throws -> (EngineHarness, [PushID]) {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<4 { harness.push(offset: Int64(offset)) }
        let sent = [try #require(harness.send()), try #require(harness.send())]
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        return (harness, sent)
    }

    @Test func `accepts no more records`() throws {
        let (harness, _) = try draining()
        harness.push(offset: 4)
        #expect(harness.recordsInFlight == 2)
        #expect(harness.send() == nil)
    }

    @Test func `finishes its pushes in flight, and commits them`() throws {
        let (harness, sent) = try draining()
        for push in sent { harness.respond(push, 200) }
        #expect(harness.settle().count == 2)
        #expect(harness.takeCommits().map(\.next) == [2])
        #expect(harness.openRecords == 0)
    }

    @Test func `leaves a record that waits for a retry uncommitted`() throws {
        let (harness, sent) = try draining()
        harness.respond(sent[0], 503)
        harness.respond(sent[1], 200)
        harness.settle()
        #expect(harness.openRecords == 0)
        #expect(harness.next() == 0)
        #expect(harness.engine.counters.retries == 0)
    }

    @Test func `leaves a record uncommitted if its push never left`() throws {
        let (harness, sent) = try draining()
        harness.engine.notSent(sent[0])
        #expect(harness.send() == nil)
        #expect(harness.openRecords == 1)
    }

    private static let both = #"{"device_tokens":["aa","bb"],"payload":{"aps":{"alert":"Hi"}}}"#

    @Test func `finishes a record if one of its pushes is done`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(Self.both, offset: 0)
        harness.respond(try #require(harness.send()), 200)
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        let second = try #require(harness.send())
        harness.respond(second, 503, "ServiceUnavailable")
        harness.pass(milliseconds: 1000)
        #expect(harness.sendAll() == [second])
        harness.respond(second, 200)
        #expect(harness.settle().outcomes.count == 2)
        #expect(harness.openRecords == 0)
        #expect(harness.next() == 1)
    }

    @Test func `leaves a record uncommitted if not all of its pushes end in time`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(Self.both, offset: 0)
        harness.respond(try #require(harness.send()), 200)
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        harness.engine.close()
        #expect(harness.send() == nil)
        harness.settle()
        #expect(harness.openRecords == 0)
        #expect(harness.next() == 0)
    }

    @Test func `does not wait for a retry that is due after its deadline`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(Self.both, offset: 0)
        let pushes = harness.sendAll()
        harness.respond(pushes[0], 200)
        harness.respond(pushes[1], 503, "ServiceUnavailable", retryAfter: 60)
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        harness.settle()
        #expect(harness.openRecords == 0)
        #expect(harness.next() == 0)
    }
}
