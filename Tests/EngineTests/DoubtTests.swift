import APNs
import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `A push in doubt` {
    private func harness(
        _ policy: DeliverySettings.InDoubt = .collapse,
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let harness = try EngineHarness {
            $0.inDoubt = policy
            tweak(&$0)
        }
        harness.assign()
        return harness
    }

    private func push(
        _ harness: EngineHarness, _ collapseID: String?, offset: Int64, of id: Int = 0
    ) {
        let more = collapseID.map { #","collapse_id":"\#($0)""# } ?? ""
        harness.push("aa", offset: offset, of: AssignmentID(id), more: more)
    }

    /// Sends the next push, which gets no response.
    @discardableResult
    private func lose(_ harness: EngineHarness) throws -> PushID {
        let id = try #require(harness.send())
        harness.engine.inDoubt(id, reason: "no response within 20 s")
        return id
    }

    private func verdict(_ harness: EngineHarness) throws -> String? {
        let all = harness.settle()
        #expect(all.count == 1)
        let value = try #require(all.first).value
        return try Samples.member("verdict", of: value)
    }

    @Test func `is reported as unknown if it has no collapse ID`() throws {
        let harness = try harness()
        push(harness, nil, offset: 0)
        try lose(harness)
        let all = harness.settle()
        let value = try #require(all.first).value
        #expect(all.count == 1)
        #expect(value.contains(#""verdict":"unknown","reason":"no response within 20 s","#))
        #expect(harness.next() == 1)
        #expect(harness.engine.counters.doubts == 1)
    }

    @Test func `leaves a dead letter that says so, if the connector wants one`() throws {
        let harness = try harness { $0.inDoubtDeadLetter = true }
        push(harness, nil, offset: 0)
        try lose(harness)
        let all = harness.publish()
        #expect(all.outcomes.first?.value.contains(#""verdict":"unknown""#) == true)
        let letter = try #require(all.deadLetters.first)
        let headers = letter.record.headers.reduce(into: [String: String]()) {
            $0[$1.name] = String(decoding: $1.value ?? [], as: UTF8.self)
        }
        #expect(headers["apns-bridge-reason"] == "in_doubt")
        #expect(headers["apns-bridge-detail"] == "no response within 20 s")
        // Its record is committed once Kafka has both.
        harness.store(all)
        #expect(harness.next() == 1)
    }

    @Test func `leaves no dead letter when it is sent again and accepted`() throws {
        let harness = try harness { $0.inDoubtDeadLetter = true }
        push(harness, "x", offset: 0)
        let id = try lose(harness)
        harness.pass(milliseconds: 500)
        #expect(harness.send() == id)
        harness.respond(id, 200)
        #expect(harness.publish().deadLetters.isEmpty)
    }

    @Test func `is sent again later, with its apns-id, if it has a collapse ID`() throws {
        let harness = try harness()
        push(harness, "x", offset: 0)
        let id = try lose(harness)
        let apnsID = harness.apnsID(id)
        #expect(harness.publish().isEmpty)
        harness.pass(milliseconds: 500)
        #expect(harness.engine.figures.retries == ["in_doubt": 1])
        #expect(harness.send() == id)
        #expect(harness.apnsID(id) == apnsID)
        harness.respond(id, 200)
        let all = harness.settle()
        #expect(all.count == 1)
        #expect(all.first?.value.contains(#""verdict":"accepted""#) == true)
        #expect(all.first?.value.contains(#""attempts":2"#) == true)
    }

    @Test func `does not replace a newer push`() throws {
        let harness = try harness()
        push(harness, "x", offset: 0)
        push(harness, "x", offset: 1)
        let ids = harness.sendAll()
        harness.engine.inDoubt(ids[0], reason: "lost")
        #expect(try verdict(harness) == "unknown")
    }

    @Test func `does not replace a newer push that was sent while it waited`() throws {
        let harness = try harness()
        push(harness, "x", offset: 0)
        try lose(harness)
        push(harness, "x", offset: 1)
        try harness.sendAndRespond(200)
        harness.settle()
        harness.pass(milliseconds: 500)
        #expect(harness.send() == nil)
        #expect(try verdict(harness) == "unknown")
        #expect(harness.next() == 2)
    }

    @Test func `is sent again if newer pushes have another device or collapse ID`() throws {
        let harness = try harness()
        push(harness, "x", offset: 0)
        push(harness, "y", offset: 1)
        harness.push("bb", offset: 2, more: #","collapse_id":"x""#)
        let ids = harness.sendAll()
        harness.engine.inDoubt(ids[0], reason: "lost")
        harness.pass(milliseconds: 500)
        #expect(harness.sendAll() == [ids[0]])
    }

    @Test func `does not replace a newer push from another partition`() throws {
        let harness = try harness()
        harness.assign(1)
        push(harness, "x", offset: 0)
        push(harness, "x", offset: 0, of: 1)
        let ids = harness.sendAll()
        harness.engine.inDoubt(ids[0], reason: "lost")
        #expect(try verdict(harness) == "unknown")
    }

    @Test func `is always sent again with the policy resend`() throws {
        let harness = try harness(.resend)
        push(harness, nil, offset: 0)
        let id = try lose(harness)
        harness.pass(milliseconds: 500)
        #expect(harness.sendAll() == [id])
    }

    @Test func `is never sent again with the policy report`() throws {
        let harness = try harness(.report)
        push(harness, "x", offset: 0)
        try lose(harness)
        #expect(try verdict(harness) == "unknown")
    }

    @Test func `is reported as unknown, without a dead letter, after its last attempt`() throws {
        let harness = try harness { $0.retry.maxAttempts = 3 }
        push(harness, "x", offset: 0)
        try lose(harness)
        for _ in 0..<2 {
            harness.pass(milliseconds: 300_000)
            try harness.sendAndRespond(503, "ServiceUnavailable")
        }
        let all = harness.settle()
        let value = try #require(all.first).value
        #expect(all.count == 1)
        #expect(value.contains(#""verdict":"unknown","reason":"no response within 20 s","#))
        #expect(value.contains(#""last_status":503,"last_reason":"ServiceUnavailable""#))
    }

    @Test func `is reported as unknown, not as expired, if it expires while it waits`() throws {
        let harness = try harness {
            $0.retry.first = .milliseconds(60_000)
            $0.retry.maximum = .milliseconds(60_000)
        }
        harness.push(
            "aa", offset: 0,
            more: #","collapse_id":"x","expiration":\#(EngineHarness.start / 1000 + 1)"#)
        try lose(harness)
        harness.pass(milliseconds: 1000)
        #expect(try verdict(harness) == "unknown")
    }

    @Test func `is reported as unknown when its time is used up`() throws {
        let harness = try harness { $0.retry.giveUpAfter = .milliseconds(10_000) }
        push(harness, "x", offset: 0)
        try lose(harness)
        harness.pass(milliseconds: 500)
        harness.respond(try #require(harness.send()), 503, "", retryAfter: 60)
        harness.pass(milliseconds: 11_000)
        #expect(try verdict(harness) == "unknown")
    }

    @Test func `gets its verdict from a later response, even a permanent rejection`() throws {
        let harness = try harness()
        push(harness, "x", offset: 0)
        try lose(harness)
        harness.pass(milliseconds: 500)
        try harness.sendAndRespond(410, "Unregistered", timestamp: 1)
        let all = harness.settle()
        #expect(all.outcomes.first?.value.contains(#""verdict":"rejected""#) == true)
        #expect(all.unregistered.count == 1)
    }

    @Test func `stays uncommitted when the worker stops if it may be sent again`() throws {
        let harness = try harness()
        push(harness, "x", offset: 0)
        push(harness, nil, offset: 1)
        let ids = harness.sendAll()
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        for id in ids { harness.engine.inDoubt(id, reason: "closed") }
        #expect(try verdict(harness) == "unknown")
        #expect(harness.openRecords == 0)
        #expect(harness.next() == 0)
    }

    @Test func `is reported when the worker stops if another push of its record is done`() throws {
        let harness = try harness()
        harness.take(
            #"{"device_tokens":["aa","bb"],"collapse_id":"x","payload":{"aps":{"badge":1}}}"#,
            offset: 0)
        let ids = harness.sendAll()
        harness.engine.drain(until: harness.engine.now)
        harness.respond(ids[0], 200)
        harness.engine.inDoubt(ids[1], reason: "closed")
        #expect(harness.settle().count == 2)
        #expect(harness.next() == 1)
    }
}

@Suite struct `The memory of sent pushes` {
    private let anyID = NotificationID(high: 1, low: 2)

    @Test func `is bounded, keeps open pushes, and takes forgotten ones for replaced`() {
        var memory = SentMemory(capacity: 1024)
        memory.arrived(1, age: PushAge(sequence: 1), anyID)
        memory.arrived(2, age: PushAge(sequence: 2), anyID)
        for round in 0..<3 as Range<UInt64> {
            var key: UInt64 = 1000 * 1000 * (round + 1)
            while !memory.isFull {
                memory.arrived(key, age: PushAge(sequence: key), anyID)
                key += 1
            }
            memory.forgetOlder(but: [1])
        }
        #expect(memory.count <= 2 * memory.capacity)
        #expect(memory.isNewest(1, age: PushAge(sequence: 1)))
        #expect(!memory.isNewest(2, age: PushAge(sequence: 2)))
        #expect(memory.isNewest(2, age: PushAge(sequence: .max)))
    }

    @Test func `knows a later push of its older half when an earlier one is sent again`() {
        var memory = SentMemory(capacity: 1024)
        memory.arrived(7, age: PushAge(sequence: 9), anyID)
        memory.forgetOlder(but: [])
        memory.arrived(7, age: PushAge(sequence: 5), anyID)
        memory.forgetOlder(but: [])
        #expect(!memory.isNewest(7, age: PushAge(sequence: 5)))
        #expect(memory.isNewest(7, age: PushAge(sequence: 9)))
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
        let harness = try EngineHarness()
        harness.assign()
        harness.push("aa", offset: 0)
        harness.respond(try #require(harness.send()), status, reason, retryAfter: 10)
        harness.push("aa", offset: 1)
        #expect(harness.sendAll().map(harness.offset) == [1])
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

    private func throttled() throws -> EngineHarness {
        let harness = try EngineHarness()
        harness.assign()
        harness.push("aa", offset: 0)
        harness.respond(try #require(harness.send()), 429, "TooManyRequests", retryAfter: 10)
        return harness
    }

    @Test func `gets no pushes for a while, but other devices do`() throws {
        let harness = try throttled()
        harness.push("aa", offset: 1)
        harness.push("bb", offset: 2)
        #expect(harness.sendAll().map(harness.offset) == [2])
    }

    @Test func `gets the rejected push first, then the rest`() throws {
        let harness = try throttled()
        harness.push("aa", offset: 1)
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 10_000)
        let first = try #require(harness.send())
        #expect(harness.offset(first) == 0)
        harness.respond(first, 200)
        harness.pass(milliseconds: 1000)
        #expect(harness.sendAll().map(harness.offset) == [1])
        let areThrottled = harness.engine.devicesCell.value.areThrottled
        #expect(!areThrottled)
    }

    @Test func `costs its waiting pushes no attempts`() throws {
        let harness = try throttled()
        harness.push("aa", offset: 1)
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 10_500)
        for id in harness.sendAll() { harness.respond(id, 200) }
        let values = harness.settle().map(\.value)
        #expect(values.contains { $0.contains(#""attempts":1,"#) })
        #expect(harness.engine.counters.retries == 1)
        #expect(harness.engine.figures.retries == ["TooManyRequests": 1])
    }

    @Test func `is not inferred from too many provider token updates`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push("aa", offset: 0)
        harness.respond(
            try #require(harness.send()), 429, "TooManyProviderTokenUpdates", retryAfter: 10)
        harness.push("aa", offset: 1)
        #expect(harness.sendAll().map(harness.offset) == [1])
    }

    @Test func `has a back-off of its own, apart from that for server errors`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push("aa", offset: 0)
        for _ in 0..<6 {
            try harness.sendAndRespond(503, "ServiceUnavailable")
            harness.pass(milliseconds: 300_000)
        }
        try harness.sendAndRespond(429, "TooManyRequests")
        #expect(try #require(harness.nextRetry) <= harness.engine.now + .milliseconds(500))
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
