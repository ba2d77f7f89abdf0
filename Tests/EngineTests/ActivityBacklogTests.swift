import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A buffered update of a Live Activity` {
    private func take(
        _ harness: EngineHarness, _ event: String = "update", at second: Int, offset: Int64,
        token: String = "aa", more: String = ""
    ) {
        let attributes = #","attributes-type":"A","attributes":{},"alert":{"title":"x"}"#
        let aps =
            #""event":"\#(event)","timestamp":\#(1_767_261_600 + second),"content-state":{}"#
            + (event == "start" ? attributes : "")
        harness.take(
            #"{"device_token":"\#(token)","push_type":"liveactivity","payload":{"aps":{\#(aps)}}"#
                + more + "}", offset: offset)
    }

    /// Sends two pushes with one collapse ID, before APNs responds to either.
    private func sendTwo(
        _ harness: EngineHarness, _ event: String = "update", at first: Int, then second: Int
    ) throws -> (PushID, PushID) {
        take(harness, event, at: first, offset: 0, more: #","collapse_id":"a""#)
        let one = try #require(harness.send())
        take(harness, at: second, offset: 1, more: #","collapse_id":"a""#)
        return (one, try #require(harness.send()))
    }

    @Test func `is one of 20 that become one request`() throws {
        let harness = try backlogHarness()
        for offset in 0..<20 { take(harness, at: offset, offset: Int64(offset)) }
        #expect(harness.deliverAll() == [19])
        #expect(harness.superseded() == Array(0..<19))
        #expect(harness.next() == 20)
    }

    @Test func `is superseded by the later timestamp, whichever is read first`() throws {
        let harness = try backlogHarness()
        for (offset, second) in [3, 5, 1, 4].enumerated() {
            take(harness, at: second, offset: Int64(offset))
        }
        #expect(harness.deliverAll() == [1])
        #expect(harness.superseded() == [0, 2, 3])
        #expect(harness.next() == 4)
    }

    @Test func `is superseded by the one that is read later if both have one timestamp`() throws {
        let harness = try backlogHarness()
        for offset in 0..<2 { take(harness, at: 1, offset: Int64(offset)) }
        #expect(harness.deliverAll() == [1])
    }

    @Test func `that comes back from APNs outlives an older one that was read later`() throws {
        let harness = try backlogHarness()
        take(harness, at: 5, offset: 0)
        let first = try #require(harness.send())
        take(harness, at: 3, offset: 1)
        harness.respond(first, 503, "ServiceUnavailable")
        #expect(harness.superseded() == [1])
        harness.pass(milliseconds: 500)
        #expect(harness.deliverAll() == [0])
        harness.settle()
        #expect(harness.next() == 2)
    }

    @Test func `that comes back outlives one that waits for it`() throws {
        let harness = try backlogHarness(orderedByDevice: true)
        take(harness, at: 5, offset: 0)
        let first = try #require(harness.send())
        take(harness, "start", at: 9, offset: 1)
        take(harness, at: 3, offset: 2)
        take(harness, "start", at: 9, offset: 3)
        harness.respond(first, 503, "ServiceUnavailable")
        #expect(harness.superseded() == [2])
        harness.pass(milliseconds: 500)
        for offset in [0, 1, 3] as [Int64] { #expect(harness.deliverAll() == [offset]) }
    }

    @Test func `never takes the place of an end, nor passes it`() throws {
        let harness = try backlogHarness()
        take(harness, at: 1, offset: 0)
        take(harness, "end", at: 2, offset: 1)
        take(harness, at: 3, offset: 2)
        take(harness, at: 4, offset: 3)
        #expect(harness.deliverAll() == [0, 1, 3])
        #expect(harness.superseded() == [2])
    }

    @Test func `that comes back from APNs lets no later one pass an end`() throws {
        let harness = try backlogHarness(orderedByDevice: true)
        take(harness, at: 1, offset: 0)
        let first = try #require(harness.send())
        take(harness, "end", at: 2, offset: 1)
        harness.respond(first, 503, "ServiceUnavailable")
        take(harness, at: 3, offset: 2)
        harness.pass(milliseconds: 500)
        for offset in [0, 1, 2] as [Int64] { #expect(harness.deliverAll() == [offset]) }
    }

    @Test func `that comes back is sent over an older one that was read later`() throws {
        let harness = try backlogHarness()
        let (first, second) = try sendTwo(harness, at: 5, then: 3)
        harness.respond(first, 503, "ServiceUnavailable")
        harness.respond(second, 200)
        harness.pass(milliseconds: 500)
        #expect(harness.deliverAll() == [0])
        #expect(harness.superseded() == [])
    }

    @Test func `that waits is not sent over one of the same second that was read later`() throws {
        let harness = try backlogHarness()
        let (first, second) = try sendTwo(harness, at: 5, then: 5)
        harness.respond(second, 200)
        harness.respond(first, 503, "ServiceUnavailable")
        harness.pass(milliseconds: 500)
        #expect(harness.deliverAll() == [])
        #expect(harness.superseded() == [0])
    }

    @Test func `that waits is sent over one of the same second that was read before it`() throws {
        let harness = try backlogHarness()
        let (first, second) = try sendTwo(harness, at: 5, then: 5)
        harness.respond(second, 503, "ServiceUnavailable")
        harness.respond(first, 200)
        harness.pass(milliseconds: 500)
        #expect(harness.deliverAll() == [1])
        #expect(harness.superseded() == [])
    }

    @Test(arguments: [DeliverySettings.Supersede.retries, .backlog], [-1, 1])
    func `replaces no end that waits for a retry`(
        policy: DeliverySettings.Supersede, second: Int
    ) throws {
        let harness = try backlogHarness { $0.supersede = policy }
        let (end, update) = try sendTwo(harness, "end", at: 5, then: 5 + second)
        harness.respond(end, 503, "ServiceUnavailable")
        harness.respond(update, 200)
        harness.pass(milliseconds: 500)
        #expect(harness.deliverAll() == [0])
        #expect(harness.superseded() == [])
    }

    @Test func `has nothing to do with a start, or with another activity`() throws {
        let harness = try backlogHarness()
        take(harness, "start", at: 1, offset: 0)
        take(harness, "start", at: 2, offset: 1)
        take(harness, at: 3, offset: 2)
        take(harness, at: 4, offset: 3, token: "bb")
        #expect(harness.deliverAll() == [0, 1, 2, 3])
    }

    @Test func `is superseded whatever its collapse ID`() throws {
        let harness = try backlogHarness()
        take(harness, at: 1, offset: 0, more: #","collapse_id":"a""#)
        take(harness, at: 2, offset: 1, more: #","collapse_id":"b""#)
        take(harness, at: 3, offset: 2)
        #expect(harness.deliverAll() == [2])
    }

    @Test func `without a timestamp takes no part`() throws {
        let harness = try backlogHarness()
        for (offset, time) in [#""1""#, "null", "[]"].enumerated() {
            let aps = #""event":"update","timestamp":\#(time),"content-state":{}"#
            harness.take(
                #"{"device_token":"aa","push_type":"liveactivity","payload":{"aps":{\#(aps)}}}"#,
                offset: Int64(offset))
        }
        #expect(harness.superseded() == [])
    }
}
