import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `Ordering by device` {
    private func desk() throws -> EngineDesk {
        let desk = try EngineDesk(orderedByDevice: true)
        desk.assign()
        return desk
    }

    @Test func `sends one push of a device at a time, in the order of the partition`() throws {
        let desk = try desk()
        for offset in 0..<4 { desk.push("aa", offset: Int64(offset)) }
        for offset in 0..<4 {
            let pushes = desk.sendAll()
            #expect(pushes.map(desk.offset) == [Int64(offset)])
            for push in pushes { desk.answer(push, 200) }
        }
    }

    @Test func `lets a retry delay later pushes of the same device only`() throws {
        let desk = try desk()
        desk.push("aa", offset: 0)
        desk.push("aa", offset: 1)
        desk.push("bb", offset: 2)
        let first = try #require(desk.send())
        desk.answer(first, 503, "ServiceUnavailable", retryAfter: 60)
        #expect(desk.sendAll().map(desk.token) == ["bb"])
        desk.pass(milliseconds: 60_000)
        #expect(desk.sendAll() == [first])
        desk.answer(first, 200)
        #expect(desk.sendAll().map(desk.token) == ["aa"])
    }

    @Test func `sends the next push after any verdict`() throws {
        let desk = try desk()
        for offset in 0..<5 { desk.push("aa", offset: Int64(offset)) }
        desk.answer(try #require(desk.send()), 400, "BadDeviceToken")
        desk.answer(try #require(desk.send()), 413, "PayloadTooLarge")
        desk.engine.inDoubt(try #require(desk.send()), reason: "lost")
        desk.answer(try #require(desk.send()), 200)
        #expect(desk.sendAll().count == 1)
    }

    @Test func `does not extend across partitions`() throws {
        let desk = try desk()
        let other = desk.assign(1)
        desk.push("aa", offset: 0)
        desk.push("aa", offset: 0, of: other)
        #expect(desk.sendAll().count == 2)
    }

    @Test func `does not wait for a dropped push`() throws {
        let desk = try desk()
        desk.push("aa", offset: 0, more: #","priority":3"#)
        desk.push("aa", offset: 1)
        #expect(desk.sendAll().count == 1)
    }

    @Test func `starts afresh after a revocation`() throws {
        let desk = try desk()
        for offset in 0..<3 { desk.push("aa", offset: Int64(offset)) }
        let sent = try #require(desk.send())
        desk.engine.revoking([AssignmentID(0)])
        desk.answer(sent, 200)
        #expect(desk.send() == nil)
        desk.settle()
        #expect(desk.engine.window.records == 0)
        let again = desk.assign(0, committed: 1)
        desk.push("aa", offset: 1, of: again)
        #expect(desk.sendAll().count == 1)
    }
}

@Suite struct `Ordering by partition, key or collapse ID` {
    private func desk(_ ordering: DeliverySettings.Ordering) throws -> EngineDesk {
        let desk = try EngineDesk { $0.ordering = ordering }
        desk.assign()
        return desk
    }

    @Test func `sends one push of a partition at a time`() throws {
        let desk = try desk(.partition)
        let other = desk.assign(1)
        for offset in 0..<3 { desk.push("a\(offset)", offset: Int64(offset)) }
        desk.push("b0", offset: 0, of: other)
        #expect(desk.sendAll().map(desk.token) == ["a0", "b0"])
    }

    @Test func `sends one push of a record key at a time`() throws {
        let desk = try desk(.key)
        desk.take(Samples.event("aa"), offset: 0, key: "ada")
        desk.take(Samples.event("bb"), offset: 1, key: "ada")
        desk.take(Samples.event("cc"), offset: 2, key: "eve")
        let pushes = desk.sendAll()
        #expect(pushes.map(desk.token) == ["aa", "cc"])
        desk.answer(pushes[0], 200)
        #expect(desk.sendAll().map(desk.token) == ["bb"])
    }

    @Test func `does not delay records without a key`() throws {
        let desk = try desk(.key)
        for offset in 0..<3 { desk.push(offset: Int64(offset)) }
        #expect(desk.sendAll().count == 3)
    }

    @Test func `delays only pushes that replace each other`() throws {
        let desk = try desk(.collapse)
        desk.push("aa", offset: 0, more: #","collapse_id":"x""#)
        desk.push("aa", offset: 1, more: #","collapse_id":"x""#)
        desk.push("aa", offset: 2, more: #","collapse_id":"y""#)
        desk.push("bb", offset: 3, more: #","collapse_id":"x""#)
        desk.push("aa", offset: 4)
        desk.push("aa", offset: 5)
        #expect(desk.sendAll().map(desk.offset) == [0, 2, 3, 4, 5])
    }
}

@Suite struct `Without ordering` {
    @Test func `pushes of one device are sent concurrently`() throws {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<4 { desk.push("aa", offset: Int64(offset)) }
        #expect(desk.sendAll().count == 4)
    }

    @Test func `a retry delays only its own record`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push("aa", offset: 0)
        try desk.sendAndAnswer(503)
        desk.push("aa", offset: 1)
        try desk.sendAndAnswer(200)
        desk.settle()
        #expect(desk.next() == 0)
        #expect(desk.openRecords == 1)
        #expect(desk.engine.window.records == 0)
    }
}
