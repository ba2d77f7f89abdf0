import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `Ordering by device` {
    private func harness() throws -> EngineHarness {
        let harness = try EngineHarness(orderedByDevice: true)
        harness.assign()
        return harness
    }

    @Test func `sends one push of a device at a time, in the order of the partition`() throws {
        let harness = try harness()
        for offset in 0..<4 { harness.push("aa", offset: Int64(offset)) }
        for offset in 0..<4 {
            let pushes = harness.sendAll()
            #expect(pushes.map(harness.offset) == [Int64(offset)])
            for push in pushes { harness.respond(push, 200) }
        }
    }

    @Test func `lets a retry delay later pushes of the same device only`() throws {
        let harness = try harness()
        harness.push("aa", offset: 0)
        harness.push("aa", offset: 1)
        harness.push("bb", offset: 2)
        let first = try #require(harness.send())
        harness.respond(first, 503, "ServiceUnavailable", retryAfter: 60)
        #expect(harness.sendAll().map(harness.token) == ["bb"])
        harness.pass(milliseconds: 60_000)
        #expect(harness.sendAll() == [first])
        harness.respond(first, 200)
        #expect(harness.sendAll().map(harness.token) == ["aa"])
    }

    @Test func `sends the next push after any verdict`() throws {
        let harness = try harness()
        for offset in 0..<5 { harness.push("aa", offset: Int64(offset)) }
        harness.respond(try #require(harness.send()), 400, "BadDeviceToken")
        harness.respond(try #require(harness.send()), 413, "PayloadTooLarge")
        harness.engine.inDoubt(try #require(harness.send()), reason: "lost")
        harness.respond(try #require(harness.send()), 200)
        #expect(harness.sendAll().count == 1)
    }

    @Test func `does not extend across partitions`() throws {
        let harness = try harness()
        let other = harness.assign(1)
        harness.push("aa", offset: 0)
        harness.push("aa", offset: 0, of: other)
        #expect(harness.sendAll().count == 2)
    }

    @Test func `does not wait for a dropped push`() throws {
        let harness = try harness()
        harness.push("aa", offset: 0, more: #","priority":3"#)
        harness.push("aa", offset: 1)
        #expect(harness.sendAll().count == 1)
    }

    @Test func `starts afresh after a revocation`() throws {
        let harness = try harness()
        for offset in 0..<3 { harness.push("aa", offset: Int64(offset)) }
        let sent = try #require(harness.send())
        harness.engine.revoking([AssignmentID(0)])
        harness.respond(sent, 200)
        #expect(harness.send() == nil)
        harness.settle()
        #expect(harness.recordsInFlight == 0)
        let again = harness.assign(0, committed: 1)
        harness.push("aa", offset: 1, of: again)
        #expect(harness.sendAll().count == 1)
    }
}

@Suite struct `Ordering by partition, key or collapse ID` {
    private func harness(_ ordering: DeliverySettings.Ordering) throws -> EngineHarness {
        let harness = try EngineHarness { $0.ordering = ordering }
        harness.assign()
        return harness
    }

    @Test func `sends one push of a partition at a time`() throws {
        let harness = try harness(.partition)
        let other = harness.assign(1)
        for offset in 0..<3 { harness.push("a\(offset)", offset: Int64(offset)) }
        harness.push("b0", offset: 0, of: other)
        #expect(harness.sendAll().map(harness.token) == ["a0", "b0"])
    }

    @Test func `sends one push of a record key at a time`() throws {
        let harness = try harness(.key)
        harness.take(Samples.event("aa"), offset: 0, key: "ada")
        harness.take(Samples.event("bb"), offset: 1, key: "ada")
        harness.take(Samples.event("cc"), offset: 2, key: "eve")
        let pushes = harness.sendAll()
        #expect(pushes.map(harness.token) == ["aa", "cc"])
        harness.respond(pushes[0], 200)
        #expect(harness.sendAll().map(harness.token) == ["bb"])
    }

    @Test func `does not delay records without a key`() throws {
        let harness = try harness(.key)
        for offset in 0..<3 { harness.push(offset: Int64(offset)) }
        #expect(harness.sendAll().count == 3)
    }

    @Test func `delays only pushes that replace each other`() throws {
        let harness = try harness(.collapse)
        harness.push("aa", offset: 0, more: #","collapse_id":"x""#)
        harness.push("aa", offset: 1, more: #","collapse_id":"x""#)
        harness.push("aa", offset: 2, more: #","collapse_id":"y""#)
        harness.push("bb", offset: 3, more: #","collapse_id":"x""#)
        harness.push("aa", offset: 4)
        harness.push("aa", offset: 5)
        #expect(harness.sendAll().map(harness.offset) == [0, 2, 3, 4, 5])
    }
}

@Suite struct `Without ordering` {
    @Test func `pushes of one device are sent concurrently`() throws {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<4 { harness.push("aa", offset: Int64(offset)) }
        #expect(harness.sendAll().count == 4)
    }

    @Test func `a retry delays only its own record`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push("aa", offset: 0)
        try harness.sendAndRespond(503)
        harness.push("aa", offset: 1)
        try harness.sendAndRespond(200)
        harness.settle()
        #expect(harness.next() == 0)
        #expect(harness.openRecords == 1)
        #expect(harness.recordsInFlight == 0)
    }
}
