import Delivery
import Testing

@testable import Engine

@Suite struct `A response from APNs` {
    private func harness() throws -> EngineHarness {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0)
        return harness
    }

    @Test(arguments: ["BadDeviceToken", "DeviceTokenNotForTopic"])
    func `that makes a token suspect is reported, and unregisters nothing`(reason: String) throws {
        let harness = try harness()
        try harness.sendAndRespond(400, reason)
        let all = harness.settle()
        #expect(all.outcomes.first?.value.contains(#""suspect":true"#) == true)
        #expect(all.deadLetters.count == 1)
        #expect(all.unregistered.isEmpty)
        #expect(harness.send() == nil)
    }

    @Test func `that rejects a push permanently is final`() throws {
        let harness = try harness()
        try harness.sendAndRespond(413, "PayloadTooLarge")
        harness.pass(milliseconds: 10_000_000)
        #expect(harness.send() == nil)
        let all = harness.settle()
        #expect(all.outcomes.first?.value.contains(#""verdict":"rejected""#) == true)
        #expect(all.deadLetters.count == 1)
    }

    @Test func `with an empty reason is not trusted, and loses nothing`() throws {
        let harness = try harness()
        try harness.sendAndRespond(400)
        #expect(harness.isFirstAppSuspended)
        #expect(harness.settle().isEmpty)
    }

    @Test func `with a success status that APNs does not use leaves the push in doubt`() throws {
        let harness = try harness()
        try harness.sendAndRespond(204)
        let outcome = try #require(harness.settle().first)
        #expect(outcome.value.contains(#""verdict":"unknown""#))
    }

    @Test func `to a push that has already ended changes nothing`() throws {
        let harness = try harness()
        let push = try #require(harness.send())
        harness.engine.inDoubt(push, reason: "lost")
        harness.respond(push, 200)
        let all = harness.settle()
        #expect(all.count == 1)
        #expect(all.first?.value.contains(#""verdict":"unknown""#) == true)
    }

    @Test(arguments: [false, true])
    func `that only accepts has the same effect on the fast path`(isPlain: Bool) throws {
        let harness = try harness()
        try harness.sendAndRespond(403, "InvalidProviderToken")
        #expect(harness.isFirstAppSuspended)
        harness.pass(milliseconds: 60_000)
        let probe = try #require(harness.send())
        harness.pass(milliseconds: 7)
        if isPlain { harness.engine.accepted(probe) } else { harness.respond(probe, 200) }
        #expect(!harness.isFirstAppSuspended)
        // The second time is too late.
        harness.engine.accepted(probe)
        #expect(harness.engine.counters.accepted == 1)
        let all = harness.settle()
        #expect(all.count == 1)
        let value = try #require(all.first?.value)
        #expect(value.contains(#""verdict":"accepted","reason":null"#))
        #expect(value.contains(#""status":200,"#))
        #expect(harness.next() == 1)
    }

    @Test(arguments: ["Unregistered", "ExpiredToken"])
    func `with status 410 unregisters the token`(reason: String) throws {
        let harness = try harness()
        try harness.sendAndRespond(410, reason, timestamp: 1)
        let all = harness.settle()
        #expect(all.unregistered.count == 1)
        #expect(all.deadLetters.isEmpty)
    }

    @Test func `that asks for another connection causes a retry at once`() throws {
        let harness = try harness()
        try harness.sendAndRespond(503, "Shutdown")
        #expect(harness.publish().isEmpty)
        try harness.sendAndRespond(200)
        let outcome = try #require(harness.settle().first)
        #expect(outcome.value.contains(#""attempts":2"#))
    }

    @Test func `that keeps asking for another connection does not cause retries forever`() throws {
        let harness = try harness()
        var attempts = 0
        while attempts < 1000, let push = harness.send() {
            attempts += 1
            harness.respond(push, 503, "Shutdown")
        }
        #expect(attempts == 20)
        #expect(harness.settle().deadLetters.first?.header("apns-bridge-reason") == "Shutdown")
    }

    @Test func `that asks for a new provider token causes one retry, then a suspension`() throws {
        let harness = try harness()
        try harness.sendAndRespond(403, "ExpiredProviderToken")
        #expect(!harness.isFirstAppSuspended)
        try harness.sendAndRespond(403, "ExpiredProviderToken")
        #expect(harness.isFirstAppSuspended)
        #expect(harness.send() == nil)
        #expect(harness.settle().isEmpty)
    }

    @Test func `costs no attempt if it is missing because the push never left`() throws {
        let harness = try harness()
        harness.engine.notSent(try #require(harness.send()))
        try harness.sendAndRespond(200)
        #expect(harness.settle().first?.value.contains(#""attempts":1"#) == true)
    }

    @Test func `that is unrecognized is counted, and logged once`() throws {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<4 { harness.push("ab\(10 + offset)", offset: Int64(offset)) }
        for _ in 0..<3 { try harness.sendAndRespond(400, "BadMoon") }
        try harness.sendAndRespond(502)
        #expect(harness.engine.counters.newResponses == 4)
        #expect(harness.engine.notices.map(\.name) == ["undocumented", "undocumented"])
        guard case .undocumented(let odd) = harness.engine.notices.first else { return }
        #expect(odd.status == 400 && odd.reason == "BadMoon")
    }

    @Test(arguments: [(400, "DuplicateHeaders"), (404, "BadPath"), (405, "MethodNotAllowed")])
    func `that no correct client gets raises one alarm`(status: Int, reason: String) throws {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<2 { harness.push("ab\(10 + offset)", offset: Int64(offset)) }
        for _ in 0..<2 { try harness.sendAndRespond(status, reason) }
        #expect(harness.engine.notices.map(\.name) == ["malformed"])
        #expect(harness.engine.counters.newResponses == 0)
    }
}
