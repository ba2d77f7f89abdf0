import APNs
import BridgeSamples
import Configuration
import Delivery
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

    /// Sends the next push, whose answer never comes.
    @discardableResult
    private func lose(_ desk: EngineDesk) throws -> PushID {
        let place = try #require(desk.send())
        desk.engine.inDoubt(place, reason: "no response within 20 s")
        return place
    }

    private func verdict(_ desk: EngineDesk) throws -> String? {
        let all = desk.settle()
        #expect(all.count == 1)
        let value = try #require(all.first).value
        return try Samples.member("verdict", of: value)
    }

    @Test func `is reported as unknown when it has no collapse ID`() throws {
        let desk = try desk()
        push(desk, nil, offset: 0)
        try lose(desk)
        let all = desk.settle()
        let value = try #require(all.first).value
        #expect(all.count == 1)
        #expect(value.contains(#""verdict":"unknown","reason":"no response within 20 s","#))
        #expect(desk.next() == 1)
    }

    @Test func `goes again after a while, with its apns-id, when it has a collapse ID`() throws {
        let desk = try desk()
        push(desk, "x", offset: 0)
        let place = try lose(desk)
        let id = desk.apnsID(place)
        #expect(desk.publish().isEmpty)
        desk.pass(milliseconds: 500)
        #expect(desk.send() == place)
        #expect(desk.apnsID(place) == id)
        desk.answer(place, 200)
        let all = desk.settle()
        #expect(all.count == 1)
        #expect(all.first?.value.contains(#""verdict":"accepted""#) == true)
        #expect(all.first?.value.contains(#""attempts":2"#) == true)
    }

    @Test func `is not sent over a newer one`() throws {
        let desk = try desk()
        push(desk, "x", offset: 0)
        push(desk, "x", offset: 1)
        let places = desk.sendAll()
        desk.engine.inDoubt(places[0], reason: "lost")
        #expect(try verdict(desk) == "unknown")
    }

    @Test func `is not sent over a newer one that was sent while it waited`() throws {
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

    @Test func `is sent over a newer one of another device or collapse ID`() throws {
        let desk = try desk()
        push(desk, "x", offset: 0)
        push(desk, "y", offset: 1)
        desk.push("bb", offset: 2, more: #","collapse_id":"x""#)
        let places = desk.sendAll()
        desk.engine.inDoubt(places[0], reason: "lost")
        desk.pass(milliseconds: 500)
        #expect(desk.sendAll() == [places[0]])
    }

    @Test func `knows of a newer one that came from another partition`() throws {
        let desk = try desk()
        desk.assign(1)
        push(desk, "x", offset: 0)
        push(desk, "x", offset: 0, of: 1)
        let places = desk.sendAll()
        desk.engine.inDoubt(places[0], reason: "lost")
        #expect(try verdict(desk) == "unknown")
    }

    @Test func `always goes again with resend`() throws {
        let desk = try desk(.resend)
        push(desk, nil, offset: 0)
        let place = try lose(desk)
        desk.pass(milliseconds: 500)
        #expect(desk.sendAll() == [place])
    }

    @Test func `never goes again with report`() throws {
        let desk = try desk(.report)
        push(desk, "x", offset: 0)
        try lose(desk)
        #expect(try verdict(desk) == "unknown")
    }

    @Test func `is unknown, without a dead letter, when its attempts are used up`() throws {
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

    @Test func `is unknown, not dropped, when it expires while it waits`() throws {
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

    @Test func `is unknown when its time is used up`() throws {
        let desk = try desk { $0.retry.giveUpAfter = .milliseconds(10_000) }
        push(desk, "x", offset: 0)
        try lose(desk)
        desk.pass(milliseconds: 500)
        desk.answer(try #require(desk.send()), 503, "", retryAfter: 60)
        desk.pass(milliseconds: 11_000)
        #expect(try verdict(desk) == "unknown")
    }

    @Test func `is what a later answer says, also when that is a refusal for good`() throws {
        let desk = try desk()
        push(desk, "x", offset: 0)
        try lose(desk)
        desk.pass(milliseconds: 500)
        try desk.sendAndAnswer(410, "Unregistered", timestamp: 1)
        let all = desk.settle()
        #expect(all.outcomes.first?.value.contains(#""verdict":"rejected""#) == true)
        #expect(all.unregistered.count == 1)
    }

    @Test func `stays uncommitted at a stop when it may be sent again`() throws {
        let desk = try desk()
        push(desk, "x", offset: 0)
        push(desk, nil, offset: 1)
        let places = desk.sendAll()
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        for place in places { desk.engine.inDoubt(place, reason: "closed") }
        #expect(try verdict(desk) == "unknown")
        #expect(desk.openRecords == 0)
        #expect(desk.next() == 0)
    }

    @Test func `is reported at a stop when others of its record are done`() throws {
        let desk = try desk()
        desk.take(
            #"{"device_tokens":["aa","bb"],"collapse_id":"x","payload":{"aps":{"badge":1}}}"#,
            offset: 0)
        let places = desk.sendAll()
        desk.engine.drain(until: desk.engine.now)
        desk.answer(places[0], 200)
        desk.engine.inDoubt(places[1], reason: "closed")
        #expect(desk.settle().count == 2)
        #expect(desk.next() == 1)
    }
}

@Suite struct `The memory of what was sent` {
    @Test func `is bounded, keeps what is open, and doubts what it forgot`() {
        var memory = SentMemory(capacity: 1024)
        memory.sent(1, birth: 1)
        memory.sent(2, birth: 2)
        for round in 0..<3 as Range<UInt64> {
            var key: UInt64 = 1000 * 1000 * (round + 1)
            while !memory.isFull {
                memory.sent(key, birth: key)
                key += 1
            }
            memory.forgetOlder(but: [1])
        }
        #expect(memory.count <= 2 * memory.capacity)
        #expect(memory.isNewest(1, birth: 1))
        #expect(!memory.isNewest(2, birth: 2))
        #expect(memory.isNewest(2, birth: .max))
    }
}

@Suite struct `A device that gets too much` {
    private func throttled() throws -> EngineDesk {
        let desk = try EngineDesk()
        desk.assign()
        desk.push("aa", offset: 0)
        desk.answer(try #require(desk.send()), 429, "TooManyRequests", retryAfter: 10)
        return desk
    }

    @Test func `is left alone, and others are not`() throws {
        let desk = try throttled()
        desk.push("aa", offset: 1)
        desk.push("bb", offset: 2)
        #expect(desk.sendAll().map(desk.offset) == [2])
    }

    @Test func `gets first what was refused, then the rest`() throws {
        let desk = try throttled()
        desk.push("aa", offset: 1)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 10_000)
        let first = try #require(desk.send())
        #expect(desk.offset(first) == 0)
        desk.answer(first, 200)
        desk.pass(milliseconds: 1000)
        #expect(desk.sendAll().map(desk.offset) == [1])
        #expect(desk.engine.throttled.isEmpty)
    }

    @Test func `uses up no attempt of what waits for it`() throws {
        let desk = try throttled()
        desk.push("aa", offset: 1)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 10_500)
        for place in desk.sendAll() { desk.answer(place, 200) }
        let values = desk.settle().map(\.value)
        #expect(values.contains { $0.contains(#""attempts":1,"#) })
        #expect(desk.engine.counters.retries == 1)
    }

    @Test func `is not meant when provider tokens change too often`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push("aa", offset: 0)
        desk.answer(
            try #require(desk.send()), 429, "TooManyProviderTokenUpdates", retryAfter: 10)
        desk.push("aa", offset: 1)
        #expect(desk.sendAll().map(desk.offset) == [1])
    }

    @Test func `has a back-off of its own beside Apple's trouble`() throws {
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

    @Test func `is one of a bounded number`() {
        var devices = ThrottledDevices()
        for device in 0..<UInt64(2 * ThrottledDevices.capacity) {
            devices.pause(device, until: 10, now: 0)
        }
        #expect(devices.end(of: 0, now: 0) == 10)
        #expect(devices.end(of: UInt64(ThrottledDevices.capacity), now: 0) == nil)
        devices.pause(1_000_000, until: 20, now: 10)
        #expect(devices.end(of: 1_000_000, now: 10) == 20)
        #expect(devices.end(of: 0, now: 10) == nil)
    }
}
