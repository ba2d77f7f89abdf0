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

    @Test func `takes no more records`() throws {
        let (desk, _) = try draining()
        desk.push(offset: 4)
        #expect(desk.engine.window.records == 2)
        #expect(desk.send() == nil)
    }

    @Test func `finishes what was sent, and commits it`() throws {
        let (desk, sent) = try draining()
        for place in sent { desk.answer(place, 200) }
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

    @Test func `leaves a record that never left uncommitted, and does not send it again`() throws {
        let (desk, sent) = try draining()
        desk.engine.notSent(sent[0])
        #expect(desk.send() == nil)
        #expect(desk.openRecords == 1)
    }

    private static let both = #"{"device_tokens":["aa","bb"],"payload":{"aps":{"alert":"Hi"}}}"#

    @Test func `finishes a record of which one push has ended`() throws {
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

    @Test func `leaves a record uncommitted of which only one push has ended in time`() throws {
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

    @Test func `does not wait for a retry that comes after its end`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.take(Self.both, offset: 0)
        let places = desk.sendAll()
        desk.answer(places[0], 200)
        desk.answer(places[1], 503, "ServiceUnavailable", retryAfter: 60)
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        desk.settle()
        #expect(desk.openRecords == 0)
        #expect(desk.next() == 0)
    }
}
