import APNs
import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Encoding
import Testing

@testable import Engine

@Suite struct `A push that waits while a newer one replaces it` {
    private func desk(
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineDesk {
        let desk = try EngineDesk(tweak: tweak)
        desk.assign()
        return desk
    }

    private func push(_ desk: EngineDesk, offset: Int64, _ id: String = "order-7") {
        desk.push("aa", offset: offset, more: #","collapse_id":"\#(id)""#)
    }

    /// Sends the first push, which gets a 503, and takes the second.
    private func shippedThenDelivered(_ desk: EngineDesk) throws {
        push(desk, offset: 0)
        try desk.sendAndAnswer(503, "ServiceUnavailable")
        push(desk, offset: 1)
    }

    private func verdict(_ desk: EngineDesk, offset: Int64) throws -> String? {
        let outcome = desk.settle().outcomes.first { $0.value.contains(#""offset":\#(offset),"#) }
        guard let value = outcome?.value else { return nil }
        let reason = try Samples.member("reason", of: value) ?? "-"
        return "\(try Samples.member("verdict", of: value) ?? "-") \(reason)"
    }

    @Test func `is dropped, and names the other's apns-id, without a dead letter`() throws {
        let desk = try desk()
        try shippedThenDelivered(desk)
        let newer = try #require(desk.send())
        let id = desk.apnsID(newer)
        desk.answer(newer, 200)
        desk.settle()
        desk.pass(milliseconds: 500)
        #expect(desk.send() == nil)
        let all = desk.settle()
        let value = try #require(all.outcomes.first).value
        #expect(all.count == 1)
        #expect(value.contains(#""verdict":"dropped","reason":"superseded""#))
        #expect(value.contains(#""detail":"a newer push replaced it""#))
        #expect(value.contains(#""superseded_by":"\#(id)""#))
        #expect(value.contains(#""last_status":503,"last_reason":"ServiceUnavailable""#))
        #expect(desk.next() == 2)
    }

    @Test func `is held while the newer one is in flight`() throws {
        let desk = try desk()
        try shippedThenDelivered(desk)
        let newer = try #require(desk.send())
        desk.pass(milliseconds: 500)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 5000)
        #expect(desk.send() == nil)
        desk.answer(newer, 200)
        #expect(desk.send() == nil)
        #expect(try verdict(desk, offset: 0) == "dropped superseded")
    }

    @Test(arguments: [(410, "Unregistered"), (400, "BadDeviceToken"), (413, "PayloadTooLarge")])
    func `is sent when the newer one is rejected`(status: Int, reason: String) throws {
        let desk = try desk { $0.rememberUnregistered = .zero }
        try shippedThenDelivered(desk)
        let newer = try #require(desk.send())
        desk.pass(milliseconds: 500)
        desk.answer(newer, status, reason)
        #expect(desk.sendAll().map(desk.offset) == [0])
    }

    @Test func `is sent when the newer one waits itself, which then goes last`() throws {
        let desk = try desk()
        try shippedThenDelivered(desk)
        let newer = try #require(desk.send())
        desk.pass(milliseconds: 500)
        desk.answer(newer, 503, "ServiceUnavailable", retryAfter: 60)
        let older = try #require(desk.send())
        #expect(desk.offset(older) == 0)
        desk.answer(older, 200)
        desk.pass(milliseconds: 61_000)
        #expect(desk.sendAll().map(desk.offset) == [1])
    }

    @Test func `is sent when the newer one never left`() throws {
        let desk = try desk()
        try shippedThenDelivered(desk)
        let newer = try #require(desk.send())
        desk.pass(milliseconds: 500)
        desk.engine.notSent(newer)
        let first = try #require(desk.send())
        // The newer one was queued again first, and is held behind nothing.
        #expect([0, 1].contains(desk.offset(first)))
        desk.answer(first, 200)
        for id in desk.sendAll() { desk.answer(id, 200) }
        let values = desk.settle().outcomes.map(\.value)
        #expect(values.count == 2)
        #expect(
            values.filter { $0.contains(#""reason":"superseded""#) }
                .allSatisfy { $0.contains(#""offset":0,"#) })
    }

    @Test func `is dropped when the newer one is in doubt`() throws {
        let desk = try desk { $0.inDoubt = .report }
        try shippedThenDelivered(desk)
        desk.engine.inDoubt(try #require(desk.send()), reason: "lost")
        desk.settle()
        desk.pass(milliseconds: 500)
        #expect(desk.send() == nil)
        #expect(try verdict(desk, offset: 0) == "dropped superseded")
    }

    @Test(arguments: DeliverySettings.InDoubt.allCases)
    func `ends as unknown, not dropped, with an attempt in doubt`(
        policy: DeliverySettings.InDoubt
    ) throws {
        let desk = try desk { $0.inDoubt = policy }
        push(desk, offset: 0)
        desk.engine.inDoubt(try #require(desk.send()), reason: "lost")
        push(desk, offset: 1)
        try desk.sendAndAnswer(200)
        desk.pass(milliseconds: 500)
        #expect(desk.send() == nil)
        #expect(try verdict(desk, offset: 0) == "unknown lost")
    }

    @Test(arguments: [
        (#","collapse_id":"other""#, "aa"), ("", "aa"), (#","collapse_id":"order-7""#, "bb"),
        (#","collapse_id":"order-7","push_type":"background","priority":5"#, "aa"),
        (#","collapse_id":"order-7","bundle_id":"com.example.other""#, "aa"),
    ])
    func `is sent if the newer one does not replace it`(more: String, token: String) throws {
        let desk = try desk()
        push(desk, offset: 0)
        try desk.sendAndAnswer(503, "ServiceUnavailable")
        let payload = #"{"aps":{"content-available":1,"alert":"Hi"}}"#
        let isBackground = more.contains("background")
        desk.take(
            isBackground
                ? #"{"device_token":"aa","payload":{"aps":{"content-available":1}}\#(more)}"#
                : #"{"device_token":"\#(token)","payload":\#(payload)\#(more)}"#, offset: 1)
        let newer = try #require(desk.send())
        #expect(desk.offset(newer) == 1)
        desk.answer(newer, 200)
        desk.settle()
        desk.pass(milliseconds: 500)
        #expect(desk.sendAll().map(desk.offset) == [0])
    }

    @Test func `is sent over the newer one with supersede none`() throws {
        let desk = try desk { $0.supersede = .none }
        try shippedThenDelivered(desk)
        try desk.sendAndAnswer(200)
        desk.pass(milliseconds: 500)
        #expect(desk.sendAll().map(desk.offset) == [0])
    }

    @Test func `is dropped if it was throttled before its first attempt`() throws {
        let desk = try desk { $0.rate.perDevice = PushRate(1, per: .seconds(10)) }
        desk.push("aa", offset: 0)
        try desk.sendAndAnswer(200)
        push(desk, offset: 1)
        #expect(desk.send() == nil)
        push(desk, offset: 2)
        #expect(desk.send() == nil)
        desk.settle()
        desk.pass(milliseconds: 10_000)
        let first = try #require(desk.send())
        #expect(desk.offset(first) == 1)
        desk.answer(first, 200)
        desk.pass(milliseconds: 20_000)
        #expect(desk.sendAll().map(desk.offset) == [2])
    }

    @Test func `is reported as expired if it expires while it is held`() throws {
        let desk = try desk()
        let soon = EngineDesk.start / 1000 + 3
        desk.push("aa", offset: 0, more: #","collapse_id":"x","expiration":\#(soon)"#)
        try desk.sendAndAnswer(503, "ServiceUnavailable")
        push(desk, offset: 1, "x")
        let newer = try #require(desk.send())
        desk.pass(milliseconds: 1000)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 4000)
        #expect(try verdict(desk, offset: 0) == "dropped expired")
        desk.answer(newer, 200)
        #expect(desk.send() == nil)
        #expect(try verdict(desk, offset: 1) == "accepted -")
    }

    @Test func `is left to the next owner while it is held`() throws {
        let desk = try desk()
        try shippedThenDelivered(desk)
        let newer = try #require(desk.send())
        desk.pass(milliseconds: 500)
        #expect(desk.send() == nil)
        desk.engine.revoking([AssignmentID(0)])
        desk.answer(newer, 200)
        desk.settle()
        #expect(desk.openRecords == 0)
        #expect(desk.next() == 0)
        let holdsNone = desk.engine.sentPushes.value.holdsNone
        #expect(holdsNone)
    }

    @Test func `is dropped when it comes back from the retry topic`() throws {
        let (desk, retry) = try movedToRetryTopic(#","collapse_id":"x""#)
        desk.store([retry])
        desk.push("aa", offset: 2, more: #","collapse_id":"x""#)
        try desk.sendAndAnswer(200)
        desk.settle()
        let id = desk.assignRetry()
        desk.pass(milliseconds: 20_000)
        desk.takeBack(retry.record, offset: 0, of: id)
        #expect(desk.send() == nil)
        let value = try #require(desk.settle().outcomes.first).value
        #expect(value.contains(#""verdict":"dropped","reason":"superseded""#))
        #expect(value.contains(#""offset":1,"#))
    }

    @Test func `is sent if the worker does not know of a newer one`() throws {
        let (desk, retry) = try movedToRetryTopic(#","collapse_id":"x""#)
        desk.store([retry])
        let id = desk.assignRetry()
        desk.pass(milliseconds: 20_000)
        desk.takeBack(retry.record, offset: 0, of: id)
        #expect(desk.sendAll().map(desk.offset) == [1])
    }

    @Test func `is not repeated as a probe of the guard`() throws {
        let desk = try EngineDesk { $0.invalidation = GuardSettings(share: 0.5, minimum: 10) }
        desk.assign()
        for offset in 0..<10 {
            desk.push("ab\(10 + offset)", offset: Int64(offset), more: #","collapse_id":"x""#)
        }
        for _ in 0..<10 { try desk.sendAndAnswer(410, "Unregistered") }
        #expect(desk.engine.state.suspendedApps.map(\.isGuarded) == [true])
        desk.push("ab10", offset: 10, more: #","collapse_id":"x","event_time":4000000000"#)
        desk.pass(milliseconds: 30_000)
        let probes = desk.sendAll()
        desk.answer(try #require(probes.first { desk.offset($0) == 10 }), 200)
        for id in probes where desk.offset(id) != 10 { desk.answer(id, 410, "Unregistered") }
        #expect(probes.filter { desk.token($0) == "ab10" }.count == 1)
    }
}

@Suite struct `The table of requests in flight` {
    @Test func `finds every key after any sequence of sends and responses`() {
        var random = SeededGenerator(seed: 7)
        var table = FlightTable()
        var model: [UInt64: (count: Int, newest: UInt64)] = [:]
        for birth in 1...20_000 as ClosedRange<UInt64> {
            // Few home slots, so that keys collide.
            let key = random.next() % 50 << 32 | random.next() % 3
            if random.next() % 2 == 0 {
                table.add(key, birth: birth)
                model[key] = ((model[key]?.count ?? 0) + 1, birth)
            } else {
                table.remove(key)
                if let known = model[key] {
                    model[key] = known.count == 1 ? nil : (known.count - 1, known.newest)
                }
            }
            #expect(table.count == model.count)
            #expect(table.newest(key) == model[key]?.newest)
        }
        for (key, known) in model { #expect(table.newest(key) == known.newest) }
    }
}
