import Delivery
import Testing

@testable import Engine

@Suite struct `A response from APNs` {
    private func desk() throws -> EngineDesk {
        let desk = try EngineDesk()
        desk.assign()
        desk.push(offset: 0)
        return desk
    }

    @Test(arguments: ["BadDeviceToken", "DeviceTokenNotForTopic"])
    func `that makes a token suspect is reported, and unregisters nothing`(reason: String) throws {
        let desk = try desk()
        try desk.sendAndAnswer(400, reason)
        let all = desk.settle()
        #expect(all.outcomes.first?.value.contains(#""suspect":true"#) == true)
        #expect(all.deadLetters.count == 1)
        #expect(all.unregistered.isEmpty)
        #expect(desk.send() == nil)
    }

    @Test func `that rejects a push permanently is final`() throws {
        let desk = try desk()
        try desk.sendAndAnswer(413, "PayloadTooLarge")
        desk.pass(milliseconds: 10_000_000)
        #expect(desk.send() == nil)
        let all = desk.settle()
        #expect(all.outcomes.first?.value.contains(#""verdict":"rejected""#) == true)
        #expect(all.deadLetters.count == 1)
    }

    @Test func `with an empty reason is not trusted, and loses nothing`() throws {
        let desk = try desk()
        try desk.sendAndAnswer(400)
        #expect(desk.engine.queues.isSuspended(AppID(0)))
        #expect(desk.settle().isEmpty)
    }

    @Test func `with a success status that APNs does not use leaves the push in doubt`() throws {
        let desk = try desk()
        try desk.sendAndAnswer(204)
        let outcome = try #require(desk.settle().first)
        #expect(outcome.value.contains(#""verdict":"unknown""#))
    }

    @Test func `to a push that has already ended changes nothing`() throws {
        let desk = try desk()
        let push = try #require(desk.send())
        desk.engine.inDoubt(push, reason: "lost")
        desk.answer(push, 200)
        let all = desk.settle()
        #expect(all.count == 1)
        #expect(all.first?.value.contains(#""verdict":"unknown""#) == true)
    }

    @Test(arguments: [false, true])
    func `that only accepts has the same effect on the fast path`(isPlain: Bool) throws {
        let desk = try desk()
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        #expect(desk.engine.queues.isSuspended(AppID(0)))
        desk.pass(milliseconds: 60_000)
        let probe = try #require(desk.send())
        desk.pass(milliseconds: 7)
        if isPlain { desk.engine.accepted(probe) } else { desk.answer(probe, 200) }
        #expect(!desk.engine.queues.isSuspended(AppID(0)))
        // The second time is too late.
        desk.engine.accepted(probe)
        #expect(desk.engine.counters.accepted == 1)
        let all = desk.settle()
        #expect(all.count == 1)
        let value = try #require(all.first?.value)
        #expect(value.contains(#""verdict":"accepted","reason":null"#))
        #expect(value.contains(#""status":200,"#))
        #expect(desk.next() == 1)
    }

    @Test(arguments: ["Unregistered", "ExpiredToken"])
    func `with status 410 unregisters the token`(reason: String) throws {
        let desk = try desk()
        try desk.sendAndAnswer(410, reason, timestamp: 1)
        let all = desk.settle()
        #expect(all.unregistered.count == 1)
        #expect(all.deadLetters.isEmpty)
    }

    @Test func `that asks for another connection causes a retry at once`() throws {
        let desk = try desk()
        try desk.sendAndAnswer(503, "Shutdown")
        #expect(desk.publish().isEmpty)
        try desk.sendAndAnswer(200)
        let outcome = try #require(desk.settle().first)
        #expect(outcome.value.contains(#""attempts":2"#))
    }

    @Test func `that keeps asking for another connection does not cause retries forever`() throws {
        let desk = try desk()
        var attempts = 0
        while attempts < 1000, let push = desk.send() {
            attempts += 1
            desk.answer(push, 503, "Shutdown")
        }
        #expect(attempts == 20)
        #expect(desk.settle().deadLetters.first?.header("apns-bridge-reason") == "Shutdown")
    }

    @Test func `that asks for a new provider token causes one retry, then a suspension`() throws {
        let desk = try desk()
        try desk.sendAndAnswer(403, "ExpiredProviderToken")
        #expect(!desk.engine.queues.isSuspended(AppID(0)))
        try desk.sendAndAnswer(403, "ExpiredProviderToken")
        #expect(desk.engine.queues.isSuspended(AppID(0)))
        #expect(desk.send() == nil)
        #expect(desk.settle().isEmpty)
    }

    @Test func `costs no attempt if it is missing because the push never left`() throws {
        let desk = try desk()
        desk.engine.notSent(try #require(desk.send()))
        try desk.sendAndAnswer(200)
        #expect(desk.settle().first?.value.contains(#""attempts":1"#) == true)
    }

    @Test func `that is unrecognized is counted, and logged once`() throws {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<4 { desk.push("ab\(10 + offset)", offset: Int64(offset)) }
        for _ in 0..<3 { try desk.sendAndAnswer(400, "BadMoon") }
        try desk.sendAndAnswer(502)
        #expect(desk.engine.counters.newResponses == 4)
        #expect(desk.engine.notices.map(\.name) == ["undocumented", "undocumented"])
        guard case .undocumented(let odd) = desk.engine.notices.first else { return }
        #expect(odd.status == 400 && odd.reason == "BadMoon")
    }

    @Test(arguments: [(400, "DuplicateHeaders"), (404, "BadPath"), (405, "MethodNotAllowed")])
    func `that no correct client gets raises one alarm`(status: Int, reason: String) throws {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<2 { desk.push("ab\(10 + offset)", offset: Int64(offset)) }
        for _ in 0..<2 { try desk.sendAndAnswer(status, reason) }
        #expect(desk.engine.notices.map(\.name) == ["malformed"])
        #expect(desk.engine.counters.newResponses == 0)
    }
}
