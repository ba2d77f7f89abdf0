import APNs
import BridgeSamples
import Configuration
import Delivery
import Encoding
import EventLoop
import Testing

@testable import Engine

@Suite struct `A push that waits while a newer one replaces it` {
    private func harness(
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let harness = try EngineHarness(tweak: tweak)
        harness.assign()
        return harness
    }

    private func push(_ harness: EngineHarness, offset: Int64, _ id: String = "order-7") {
        harness.push("aa", offset: offset, more: #","collapse_id":"\#(id)""#)
    }

    /// Sends the first push, which gets a 503, and takes the second.
    private func shippedThenDelivered(_ harness: EngineHarness) throws {
        push(harness, offset: 0)
        try harness.sendAndRespond(503, "ServiceUnavailable")
        push(harness, offset: 1)
    }

    private func verdict(_ harness: EngineHarness, offset: Int64) throws -> String? {
        let outcome = harness.settle().outcomes.first {
            $0.value.contains(#""offset":\#(offset),"#)
        }
        guard let value = outcome?.value else { return nil }
        let reason = try Samples.member("reason", of: value) ?? "-"
        return "\(try Samples.member("verdict", of: value) ?? "-") \(reason)"
    }

    @Test func `is dropped, and names the other's apns-id, without a dead letter`() throws {
        let harness = try harness()
        try shippedThenDelivered(harness)
        let newer = try #require(harness.send())
        let id = harness.apnsID(newer)
        harness.respond(newer, 200)
        harness.settle()
        harness.pass(milliseconds: 500)
        #expect(harness.send() == nil)
        let all = harness.settle()
        let value = try #require(all.outcomes.first).value
        #expect(all.count == 1)
        #expect(value.contains(#""verdict":"dropped","reason":"superseded""#))
        #expect(value.contains(#""detail":"a newer push replaced it""#))
        #expect(value.contains(#""superseded_by":"\#(id)""#))
        #expect(value.contains(#""last_status":503,"last_reason":"ServiceUnavailable""#))
        #expect(harness.next() == 2)
    }

    @Test func `is held while the newer one is in flight`() throws {
        let harness = try harness()
        try shippedThenDelivered(harness)
        let newer = try #require(harness.send())
        harness.pass(milliseconds: 500)
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 5000)
        #expect(harness.send() == nil)
        harness.respond(newer, 200)
        #expect(harness.send() == nil)
        #expect(try verdict(harness, offset: 0) == "dropped superseded")
    }

    @Test(arguments: [(410, "Unregistered"), (400, "BadDeviceToken"), (413, "PayloadTooLarge")])
    func `is sent when the newer one is rejected`(status: Int, reason: String) throws {
        let harness = try harness { $0.rememberUnregistered = .zero }
        try shippedThenDelivered(harness)
        let newer = try #require(harness.send())
        harness.pass(milliseconds: 500)
        harness.respond(newer, status, reason)
        #expect(harness.sendAll().map(harness.offset) == [0])
    }

    @Test func `is sent when the newer one waits itself, which then goes last`() throws {
        let harness = try harness()
        try shippedThenDelivered(harness)
        let newer = try #require(harness.send())
        harness.pass(milliseconds: 500)
        harness.respond(newer, 503, "ServiceUnavailable", retryAfter: 60)
        let older = try #require(harness.send())
        #expect(harness.offset(older) == 0)
        harness.respond(older, 200)
        harness.pass(milliseconds: 61_000)
        #expect(harness.sendAll().map(harness.offset) == [1])
    }

    @Test func `is sent when the newer one never left`() throws {
        let harness = try harness()
        try shippedThenDelivered(harness)
        let newer = try #require(harness.send())
        harness.pass(milliseconds: 500)
        harness.engine.notSent(newer)
        let first = try #require(harness.send())
        // The newer one was queued again first, and is held behind nothing.
        #expect([0, 1].contains(harness.offset(first)))
        harness.respond(first, 200)
        for id in harness.sendAll() { harness.respond(id, 200) }
        let values = harness.settle().outcomes.map(\.value)
        #expect(values.count == 2)
        #expect(
            values.filter { $0.contains(#""reason":"superseded""#) }
                .allSatisfy { $0.contains(#""offset":0,"#) })
    }

    @Test func `is dropped when the newer one is in doubt`() throws {
        let harness = try harness { $0.inDoubt = .report }
        try shippedThenDelivered(harness)
        harness.engine.inDoubt(try #require(harness.send()), reason: "lost")
        harness.settle()
        harness.pass(milliseconds: 500)
        #expect(harness.send() == nil)
        #expect(try verdict(harness, offset: 0) == "dropped superseded")
    }

    @Test(arguments: DeliverySettings.InDoubt.allCases)
    func `ends as unknown, not dropped, with an attempt in doubt`(
        policy: DeliverySettings.InDoubt
    ) throws {
        let harness = try harness { $0.inDoubt = policy }
        push(harness, offset: 0)
        harness.engine.inDoubt(try #require(harness.send()), reason: "lost")
        push(harness, offset: 1)
        try harness.sendAndRespond(200)
        harness.pass(milliseconds: 500)
        #expect(harness.send() == nil)
        #expect(try verdict(harness, offset: 0) == "unknown lost")
    }

    @Test(arguments: [
        (#","collapse_id":"other""#, "aa"), ("", "aa"), (#","collapse_id":"order-7""#, "bb"),
        (#","collapse_id":"order-7","push_type":"background","priority":5"#, "aa"),
        (#","collapse_id":"order-7","bundle_id":"com.example.other""#, "aa"),
    ])
    func `is sent if the newer one does not replace it`(more: String, token: String) throws {
        let harness = try harness()
        push(harness, offset: 0)
        try harness.sendAndRespond(503, "ServiceUnavailable")
        let payload = #"{"aps":{"content-available":1,"alert":"Hi"}}"#
        let isBackground = more.contains("background")
        harness.take(
            isBackground
                ? #"{"device_token":"aa","payload":{"aps":{"content-available":1}}\#(more)}"#
                : #"{"device_token":"\#(token)","payload":\#(payload)\#(more)}"#, offset: 1)
        let newer = try #require(harness.send())
        #expect(harness.offset(newer) == 1)
        harness.respond(newer, 200)
        harness.settle()
        harness.pass(milliseconds: 500)
        #expect(harness.sendAll().map(harness.offset) == [0])
    }

    @Test(
        arguments: [
            Samples.event("aa", more: #","collapse_id":"one","push_type":"voip""#),
            Samples.event("aa", more: #","collapse_id":"one","push_type":"pushtotalk""#),
            Samples.activityStart("aa", more: #","collapse_id":"one""#),
        ], [DeliverySettings.Supersede.retries, .backlog])
    func `is sent if it is a call, or starts a Live Activity`(
        event: String, setting: DeliverySettings.Supersede
    ) throws {
        let harness = try harness { $0.supersede = setting }
        harness.take(event, offset: 0)
        try harness.sendAndRespond(503, "ServiceUnavailable")
        harness.take(event, offset: 1)
        try harness.sendAndRespond(200)
        harness.settle()
        harness.pass(milliseconds: 500)
        #expect(harness.sendAll().map(harness.offset) == [0])
    }

    @Test func `is sent over the newer one with supersede none`() throws {
        let harness = try harness { $0.supersede = .none }
        try shippedThenDelivered(harness)
        try harness.sendAndRespond(200)
        harness.pass(milliseconds: 500)
        #expect(harness.sendAll().map(harness.offset) == [0])
    }

    @Test func `is dropped if it was throttled before its first attempt`() throws {
        let harness = try harness { $0.rate.perDevice = PushRate(1, per: .seconds(10)) }
        harness.push("aa", offset: 0)
        try harness.sendAndRespond(200)
        push(harness, offset: 1)
        #expect(harness.send() == nil)
        push(harness, offset: 2)
        #expect(harness.send() == nil)
        harness.settle()
        harness.pass(milliseconds: 10_000)
        let first = try #require(harness.send())
        #expect(harness.offset(first) == 1)
        harness.respond(first, 200)
        harness.pass(milliseconds: 20_000)
        #expect(harness.sendAll().map(harness.offset) == [2])
    }

    @Test func `is reported as expired if it expires while it is held`() throws {
        let harness = try harness()
        let soon = EngineHarness.start / 1000 + 3
        harness.push("aa", offset: 0, more: #","collapse_id":"x","expiration":\#(soon)"#)
        try harness.sendAndRespond(503, "ServiceUnavailable")
        push(harness, offset: 1, "x")
        let newer = try #require(harness.send())
        harness.pass(milliseconds: 1000)
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 4000)
        #expect(try verdict(harness, offset: 0) == "dropped expired")
        harness.respond(newer, 200)
        #expect(harness.send() == nil)
        #expect(try verdict(harness, offset: 1) == "accepted -")
    }

    @Test func `is left to the next owner while it is held`() throws {
        let harness = try harness()
        try shippedThenDelivered(harness)
        let newer = try #require(harness.send())
        harness.pass(milliseconds: 500)
        #expect(harness.send() == nil)
        harness.engine.revoking([AssignmentID(0)])
        harness.respond(newer, 200)
        harness.settle()
        #expect(harness.openRecords == 0)
        #expect(harness.next() == 0)
        let holdsNone = harness.engine.sentPushesCell.value.holdsNone
        #expect(holdsNone)
    }

    @Test func `is dropped when it comes back from the retry topic`() throws {
        let (harness, retry) = try movedToRetryTopic(#","collapse_id":"x""#)
        harness.store([retry])
        harness.push("aa", offset: 2, more: #","collapse_id":"x""#)
        try harness.sendAndRespond(200)
        harness.settle()
        let id = harness.assignRetry()
        harness.pass(milliseconds: 20_000)
        harness.takeBack(retry.record, offset: 0, of: id)
        #expect(harness.send() == nil)
        let value = try #require(harness.settle().outcomes.first).value
        #expect(value.contains(#""verdict":"dropped","reason":"superseded""#))
        #expect(value.contains(#""offset":1,"#))
    }

    @Test func `is sent if the worker does not know of a newer one`() throws {
        let (harness, retry) = try movedToRetryTopic(#","collapse_id":"x""#)
        harness.store([retry])
        let id = harness.assignRetry()
        harness.pass(milliseconds: 20_000)
        harness.takeBack(retry.record, offset: 0, of: id)
        #expect(harness.sendAll().map(harness.offset) == [1])
    }

    @Test func `is not repeated as a probe of the guard`() throws {
        let harness = try EngineHarness { $0.invalidation = GuardSettings(share: 0.5, minimum: 10) }
        harness.assign()
        for offset in 0..<10 {
            harness.push("ab\(10 + offset)", offset: Int64(offset), more: #","collapse_id":"x""#)
        }
        for _ in 0..<10 { try harness.sendAndRespond(410, "Unregistered") }
        #expect(harness.engine.state.suspendedApps.map(\.isGuarded) == [true])
        harness.push("ab10", offset: 10, more: #","collapse_id":"x","event_time":4000000000"#)
        harness.pass(milliseconds: 30_000)
        let probes = harness.sendAll()
        harness.respond(try #require(probes.first { harness.offset($0) == 10 }), 200)
        for id in probes where harness.offset(id) != 10 { harness.respond(id, 410, "Unregistered") }
        #expect(probes.filter { harness.token($0) == "ab10" }.count == 1)
    }
}

@Suite struct `The table of requests in flight` {
    @Test func `finds every key after any sequence of sends and responses`() {
        var random = SeededGenerator(seed: 7)
        var table = FlightTable()
        var model: [UInt64: (count: Int, newest: UInt64)] = [:]
        for sequence in 1...20_000 as ClosedRange<UInt64> {
            // Few home slots, so that keys collide.
            let key = random.next() % 50 << 32 | random.next() % 3
            if random.next() % 2 == 0 {
                table.add(key, age: PushAge(sequence: sequence))
                model[key] = ((model[key]?.count ?? 0) + 1, sequence)
            } else {
                table.remove(key)
                if let known = model[key] {
                    model[key] = known.count == 1 ? nil : (known.count - 1, known.newest)
                }
            }
            #expect(table.count == model.count)
            #expect(table.newest(key)?.sequence == model[key]?.newest)
        }
        for (key, known) in model { #expect(table.newest(key)?.sequence == known.newest) }
    }
}
