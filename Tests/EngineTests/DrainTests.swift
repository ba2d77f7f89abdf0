import Delivery
import Testing

@testable import Engine

@Suite struct `A worker that is told to stop` {
    private func draining() throws -> (EngineDesk, [PushID]) {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<4 { desk.push(offset: Int64(offset)) }
        let sent = [try #require(desk.send()), try #require(desk.send())]
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        return (desk, sent)
    }

    @Test func `accepts no more records`() throws {
        let (desk, _) = try draining()
        desk.push(offset: 4)
        #expect(desk.engine.window.records == 2)
        #expect(desk.send() == nil)
    }

    @Test func `finishes its pushes in flight, and commits them`() throws {
        let (desk, sent) = try draining()
        for push in sent { desk.answer(push, 200) }
        #expect(desk.settle().count == 2)
        #expect(desk.takeCommits().map(\.next) == [2])
        #expect(desk.openRecords == 0)
    }

    @Test func `leaves a record that waits for a retry uncommitted`() throws {
        let (desk, sent) = try draining()
        desk.answer(sent[0], 503)
        desk.answer(sent[1], 200)
        desk.settle()
        #expect(desk.openRecords == 0)
        #expect(desk.next() == 0)
        #expect(desk.engine.counters.retries == 0)
    }

    @Test func `leaves a record uncommitted if its push never left`() throws {
        let (desk, sent) = try draining()
        desk.engine.notSent(sent[0])
        #expect(desk.send() == nil)
        #expect(desk.openRecords == 1)
    }

    private static let both = #"{"device_tokens":["aa","bb"],"payload":{"aps":{"alert":"Hi"}}}"#

    @Test func `finishes a record if one of its pushes is done`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.take(Self.both, offset: 0)
        desk.answer(try #require(desk.send()), 200)
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        let second = try #require(desk.send())
        desk.answer(second, 503, "ServiceUnavailable")
        desk.pass(milliseconds: 1000)
        #expect(desk.sendAll() == [second])
        desk.answer(second, 200)
        #expect(desk.settle().outcomes.count == 2)
        #expect(desk.openRecords == 0)
        #expect(desk.next() == 1)
    }

    @Test func `leaves a record uncommitted if not all of its pushes end in time`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.take(Self.both, offset: 0)
        desk.answer(try #require(desk.send()), 200)
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        desk.engine.close()
        #expect(desk.send() == nil)
        desk.settle()
        #expect(desk.openRecords == 0)
        #expect(desk.next() == 0)
    }

    @Test func `does not wait for a retry that is due after its deadline`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.take(Self.both, offset: 0)
        let pushes = desk.sendAll()
        desk.answer(pushes[0], 200)
        desk.answer(pushes[1], 503, "ServiceUnavailable", retryAfter: 60)
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        desk.settle()
        #expect(desk.openRecords == 0)
        #expect(desk.next() == 0)
    }
}
