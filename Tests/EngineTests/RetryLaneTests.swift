import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `Retries that are due` {
    @Test func `are sent first in, first out`() throws {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<5 { harness.push("a\(offset)", offset: Int64(offset)) }
        for (index, id) in harness.sendAll().enumerated() {
            harness.respond(id, 429, "", retryAfter: 10 + index)
        }
        harness.pass(milliseconds: 60_000)
        #expect(harness.sendAll().map(harness.offset) == [0, 1, 2, 3, 4])
    }

    @Test func `take turns with new pushes, so that neither starve`() throws {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<4 { harness.push("a\(offset)", offset: Int64(offset)) }
        for (index, id) in harness.sendAll().enumerated() {
            harness.respond(id, 500, "InternalServerError", retryAfter: 10 + index)
        }
        harness.pass(milliseconds: 60_000)
        for offset in 4..<10 { harness.push("b\(offset)", offset: Int64(offset)) }
        let sent = harness.sendAll().map(harness.offset)
        #expect(sent == [0, 4, 1, 5, 2, 6, 3, 7, 8, 9])
    }

    @Test func `that never left keep their order`() throws {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<4 { harness.push("a\(offset)", offset: Int64(offset)) }
        for id in harness.sendAll() { harness.engine.notSent(id) }
        #expect(harness.sendAll().map(harness.offset) == [0, 1, 2, 3])
    }

    @Test(arguments: [DeliverySettings.Ordering.device, .partition])
    func `still precede their successors`(ordering: DeliverySettings.Ordering) throws {
        let harness = try EngineHarness { $0.ordering = ordering }
        harness.assign()
        for offset in 0..<3 { harness.push("aa", offset: Int64(offset)) }
        try harness.sendAndRespond(500, "InternalServerError")
        harness.push("aa", offset: 3)
        harness.pass(milliseconds: 60_000)
        var sent: [Int64] = []
        while let id = harness.send() {
            sent.append(harness.offset(id))
            harness.respond(id, 200)
        }
        #expect(sent == [0, 1, 2, 3])
    }

    @Test func `of one app do not delay another app`() throws {
        let harness = try EngineHarness(plan: Samples.twoAppsPlan()) { $0.apps = Samples.twoApps }
        harness.assign()
        for offset in 0..<40 {
            harness.push(
                "a\(10 + offset)", offset: Int64(offset), more: #","bundle_id":"com.example.pay""#)
        }
        for id in harness.sendAll() { harness.respond(id, 500, "InternalServerError") }
        harness.pass(milliseconds: 60_000)
        harness.push("bb", offset: 40, more: #","bundle_id":"com.example.shop""#)
        let sent = harness.sendAll().map(harness.offset)
        #expect(try #require(sent.firstIndex(of: 40)) <= AppQueues.burst)
    }
}

@Suite struct `The lanes of an app's queue` {
    @Test func `serve suspects after all that waited when sending resumed`() {
        var lanes = PushLanes(capacity: 4)
        lanes.append(1, to: .suspects)
        lanes.append(2, to: .new)
        lanes.append(3, to: .again)
        lanes.append(4, to: .new)
        lanes.resume()
        lanes.append(5, to: .new)
        var served: [UInt64] = []
        while let id = lanes.first {
            served.append(id.rawValue)
            lanes.popFirst()
        }
        #expect(served == [3, 2, 4, 1, 5])
    }

    @Test func `serve a suspect before sending resumes only when nothing else waits`() {
        var lanes = PushLanes(capacity: 4)
        lanes.append(1, to: .suspects)
        #expect(lanes.first == 1)
        lanes.append(2, to: .new)
        #expect(lanes.first == 2)
        lanes.popFirst()
        #expect(lanes.first == 1 && lanes.count == 1)
    }
}
