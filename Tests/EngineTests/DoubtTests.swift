import APNs
import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `A push in doubt` {
    private func desk(
        _ policy: DeliverySettings.InDoubt = .collapse,
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineDesk {
        let desk = try EngineDesk {
            $0.inDoubt = policy
            tweak(&$0)
        }
        desk.assign()
        return desk
    }

    private func push(_ desk: EngineDesk, _ collapseID: String?, offset: Int64, of id: Int = 0) {
        let more = collapseID.map { #","collapse_id":"\#($0)""# } ?? ""
        desk.push("aa", offset: offset, of: AssignmentID(id), more: more)
    }

    /// Sends the next push, which gets no response.
    @discardableResult
    private func lose(_ desk: EngineDesk) throws -> PushID {
        let id = try #require(desk.send())
        desk.engine.inDoubt(id, reason: "no response within 20 s")
        return id
    }

    private func verdict(_ desk: EngineDesk) throws -> String? {
        let all = desk.settle()
        #expect(all.count == 1)
        let value = try #require(all.first).value
        return try Samples.member("verdict", of: value)
    }

    @Test func `is reported as unknown if it has no collapse ID`() throws {
        let desk = try desk()
        push(desk, nil, offset: 0)
        try lose(desk)
        let all = desk.settle()
        let value = try #require(all.first).value
        #expect(all.count == 1)
        #expect(value.contains(#""verdict":"unknown","reason":"no response within 20 s","#))
        #expect(desk.next() == 1)
        #expect(desk.engine.counters.doubts == 1)
    }

    @Test func `leaves a dead letter that says so, if the connector wants one`() throws {
        let desk = try desk { $0.inDoubtDeadLetter = true }
        push(desk, nil, offset: 0)
        try lose(desk)
        let all = desk.publish()
        #expect(all.outcomes.first?.value.contains(#""verdict":"unknown""#) == true)
        let letter = try #require(all.deadLetters.first)
        let headers = letter.record.headers.reduce(into: [String: String]()) {
            $0[$1.name] = String(decoding: $1.value ?? [], as: UTF8.self)
        }
        #expect(headers["apns-bridge-reason"] == "in_doubt")
        #expect(headers["apns-bridge-detail"] == "no response within 20 s")
        // Its record is committed once Kafka has both.
        desk.store(all)
        #expect(desk.next() == 1)
    }

    @Test func `leaves no dead letter when it is sent again and accepted`() throws {
        let desk = try desk { $0.inDoubtDeadLetter = true }
        push(desk, "x", offset: 0)
        let id = try lose(desk)
        desk.pass(milliseconds: 500)
        #expect(desk.send() == id)
        desk.answer(id, 200)
        #expect(desk.publish().deadLetters.isEmpty)
    }

    @Test func `is sent again later, with its apns-id, if it has a collapse ID`() throws {
        let desk = try desk()
        push(desk, "x", offset: 0)
        let id = try lose(desk)
        let apnsID = desk.apnsID(id)
        #expect(desk.publish().isEmpty)
        desk.pass(milliseconds: 500)
        #expect(desk.engine.figures.retries == ["in_doubt": 1])
        #expect(desk.send() == id)
        #expect(desk.apnsID(id) == apnsID)
        desk.answer(id, 200)
        let all = desk.settle()
        #expect(all.count == 1)
        #expect(all.first?.value.contains(#""verdict":"accepted""#) == true)
        #expect(all.first?.value.contains(#""attempts":2"#) == true)
    }

    @Test func `does not replace a newer push`() throws {
        let desk = try desk()
        push(desk, "x", offset: 0)
        push(desk, "x", offset: 1)
        let ids = desk.sendAll()
        desk.engine.inDoubt(ids[0], reason: "lost")
        #expect(try verdict(desk) == "unknown")
    }

    @Test func `does not replace a newer push that was sent while it waited`() throws {
        let desk = try desk()
        push(desk, "x", offset: 0)
        try lose(desk)
        push(desk, "x", offset: 1)
        try desk.sendAndAnswer(200)
        desk.settle()
        desk.pass(milliseconds: 500)
        #expect(desk.send() == nil)
        #expect(try verdict(desk) == "unknown")
        #expect(desk.next() == 2)
    }

    @Test func `is sent again if newer pushes have another device or collapse ID`() throws {
        let desk = try desk()
        push(desk, "x", offset: 0)
        push(desk, "y", offset: 1)
        desk.push("bb", offset: 2, more: #","collapse_id":"x""#)
        let ids = desk.sendAll()
        desk.engine.inDoubt(ids[0], reason: "lost")
        desk.pass(milliseconds: 500)
        #expect(desk.sendAll() == [ids[0]])
    }

    @Test func `does not replace a newer push from another partition`() throws {
        let desk = try desk()
        desk.assign(1)
        push(desk, "x", offset: 0)
        push(desk, "x", offset: 0, of: 1)
        let ids = desk.sendAll()
        desk.engine.inDoubt(ids[0], reason: "lost")
        #expect(try verdict(desk) == "unknown")
    }

    @Test func `is always sent again with the policy resend`() throws {
        let desk = try desk(.resend)
        push(desk, nil, offset: 0)
        let id = try lose(desk)
        desk.pass(milliseconds: 500)
        #expect(desk.sendAll() == [id])
    }

    @Test func `is never sent again with the policy report`() throws {
        let desk = try desk(.report)
        push(desk, "x", offset: 0)
        try lose(desk)
        #expect(try verdict(desk) == "unknown")
    }

    @Test func `is reported as unknown, without a dead letter, after its last attempt`() throws {
        let desk = try desk { $0.retry.maxAttempts = 3 }
        push(desk, "x", offset: 0)
        try lose(desk)
        for _ in 0..<2 {
            desk.pass(milliseconds: 300_000)
            try desk.sendAndAnswer(503, "ServiceUnavailable")
        }
        let all = desk.settle()
        let value = try #require(all.first).value
        #expect(all.count == 1)
        #expect(value.contains(#""verdict":"unknown","reason":"no response within 20 s","#))
        #expect(value.contains(#""last_status":503,"last_reason":"ServiceUnavailable""#))
    }

    @Test func `is reported as unknown, not as expired, if it expires while it waits`() throws {
        let desk = try desk {
            $0.retry.first = .milliseconds(60_000)
            $0.retry.longest = .milliseconds(60_000)
        }
        desk.push(
            "aa", offset: 0,
            more: #","collapse_id":"x","expiration":\#(EngineDesk.start / 1000 + 1)"#)
        try lose(desk)
        desk.pass(milliseconds: 1000)
        #expect(try verdict(desk) == "unknown")
    }

    @Test func `is reported as unknown when its time is used up`() throws {
        let desk = try desk { $0.retry.giveUpAfter = .milliseconds(10_000) }
        push(desk, "x", offset: 0)
        try lose(desk)
        desk.pass(milliseconds: 500)
        desk.answer(try #require(desk.send()), 503, "", retryAfter: 60)
        desk.pass(milliseconds: 11_000)
        #expect(try verdict(desk) == "unknown")
    }

    @Test func `gets its verdict from a later response, even a permanent rejection`() throws {
        let desk = try desk()
        push(desk, "x", offset: 0)
        try lose(desk)
        desk.pass(milliseconds: 500)
        try desk.sendAndAnswer(410, "Unregistered", timestamp: 1)
        let all = desk.settle()
        #expect(all.outcomes.first?.value.contains(#""verdict":"rejected""#) == true)
        #expect(all.unregistered.count == 1)
    }

    @Test func `stays uncommitted when the worker stops if it may be sent again`() throws {
        let desk = try desk()
        push(desk, "x", offset: 0)
        push(desk, nil, offset: 1)
        let ids = desk.sendAll()
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        for id in ids { desk.engine.inDoubt(id, reason: "closed") }
        #expect(try verdict(desk) == "unknown")
        #expect(desk.openRecords == 0)
        #expect(desk.next() == 0)
    }

    @Test func `is reported when the worker stops if another push of its record is done`() throws {
        let desk = try desk()
        desk.take(
            #"{"device_tokens":["aa","bb"],"collapse_id":"x","payload":{"aps":{"badge":1}}}"#,
            offset: 0)
        let ids = desk.sendAll()
        desk.engine.drain(until: desk.engine.now)
        desk.answer(ids[0], 200)
        desk.engine.inDoubt(ids[1], reason: "closed")
        #expect(desk.settle().count == 2)
        #expect(desk.next() == 1)
    }
}

@Suite struct `The memory of sent pushes` {
    private let anyID = NotificationID(high: 1, low: 2)

    @Test func `is bounded, keeps open pushes, and takes forgotten ones for replaced`() {
        var memory = SentMemory(capacity: 1024)
        memory.arrived(1, birth: 1, anyID)
        memory.arrived(2, birth: 2, anyID)
        for round in 0..<3 as Range<UInt64> {
            var key: UInt64 = 1000 * 1000 * (round + 1)
            while !memory.isFull {
                memory.arrived(key, birth: key, anyID)
                key += 1
            }
            memory.forgetOlder(but: [1])
        }
        #expect(memory.count <= 2 * memory.capacity)
        #expect(memory.isNewest(1, birth: 1))
        #expect(!memory.isNewest(2, birth: 2))
        #expect(memory.isNewest(2, birth: .max))
    }

    @Test func `knows a later push of its older half when an earlier one is sent again`() {
        var memory = SentMemory(capacity: 1024)
        memory.arrived(7, birth: 9, anyID)
        memory.forgetOlder(but: [])
        memory.arrived(7, birth: 5, anyID)
        memory.forgetOlder(but: [])
        #expect(!memory.isNewest(7, birth: 5))
        #expect(memory.isNewest(7, birth: 9))
    }
}

@Suite struct `A throttled device` {
    @Test(arguments: [
        (500, "InternalServerError"), (500, ""), (408, ""), (408, "Tomorrow"), (429, ""),
        (429, "Tomorrow"), (429, "TooManyProviderTokenUpdates"), (503, "ServiceUnavailable"),
    ])
    func `is not inferred from a response that concerns only the push`(
        status: Int, reason: String
    ) throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push("aa", offset: 0)
        desk.answer(try #require(desk.send()), status, reason, retryAfter: 10)
        desk.push("aa", offset: 1)
        #expect(desk.sendAll().map(desk.offset) == [1])
    }

    @Test func `is searched for among the ended ones at most once a second`() {
        var devices = ThrottledDevices()
        for device in 0..<UInt64(ThrottledDevices.capacity) {
            devices.pause(device, until: 10, now: 0)
        }
        let other = UInt64(ThrottledDevices.capacity)
        devices.pause(other, until: 2_000_000_000, now: 0)
        devices.pause(other, until: 2_000_000_000, now: 999_999_999)
        #expect(devices.end(of: other, now: 1_000_000_000) == nil)
        devices.pause(other, until: 2_000_000_000, now: 1_000_000_000)
        #expect(devices.end(of: other, now: 1_000_000_000) == 2_000_000_000)
    }

    private func throttled() throws -> EngineDesk {
        let desk = try EngineDesk()
        desk.assign()
        desk.push("aa", offset: 0)
        desk.answer(try #require(desk.send()), 429, "TooManyRequests", retryAfter: 10)
        return desk
    }

    @Test func `gets no pushes for a while, but other devices do`() throws {
        let desk = try throttled()
        desk.push("aa", offset: 1)
        desk.push("bb", offset: 2)
        #expect(desk.sendAll().map(desk.offset) == [2])
    }

    @Test func `gets the rejected push first, then the rest`() throws {
        let desk = try throttled()
        desk.push("aa", offset: 1)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 10_000)
        let first = try #require(desk.send())
        #expect(desk.offset(first) == 0)
        desk.answer(first, 200)
        desk.pass(milliseconds: 1000)
        #expect(desk.sendAll().map(desk.offset) == [1])
        let areThrottled = desk.engine.devices.value.areThrottled
        #expect(!areThrottled)
    }

    @Test func `costs its waiting pushes no attempts`() throws {
        let desk = try throttled()
        desk.push("aa", offset: 1)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 10_500)
        for id in desk.sendAll() { desk.answer(id, 200) }
        let values = desk.settle().map(\.value)
        #expect(values.contains { $0.contains(#""attempts":1,"#) })
        #expect(desk.engine.counters.retries == 1)
        #expect(desk.engine.figures.retries == ["TooManyRequests": 1])
    }

    @Test func `is not inferred from too many provider token updates`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push("aa", offset: 0)
        desk.answer(
            try #require(desk.send()), 429, "TooManyProviderTokenUpdates", retryAfter: 10)
        desk.push("aa", offset: 1)
        #expect(desk.sendAll().map(desk.offset) == [1])
    }

    @Test func `has a back-off of its own, apart from that for server errors`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push("aa", offset: 0)
        for _ in 0..<6 {
            try desk.sendAndAnswer(503, "ServiceUnavailable")
            desk.pass(milliseconds: 300_000)
        }
        try desk.sendAndAnswer(429, "TooManyRequests")
        #expect(try #require(desk.nextRetry) <= desk.engine.now + .milliseconds(500))
    }

    @Test func `is remembered in a table of bounded size`() {
        var devices = ThrottledDevices()
        for device in 0..<UInt64(2 * ThrottledDevices.capacity) {
            devices.pause(device, until: 10, now: 0)
        }
        #expect(devices.end(of: 0, now: 0) == 10)
        #expect(devices.end(of: UInt64(ThrottledDevices.capacity), now: 0) == nil)
        devices.pause(1_000_000, until: 2_000_000_000, now: 1_000_000_000)
        #expect(devices.end(of: 1_000_000, now: 1_000_000_000) == 2_000_000_000)
        #expect(devices.end(of: 0, now: 1_000_000_000) == nil)
    }
}
