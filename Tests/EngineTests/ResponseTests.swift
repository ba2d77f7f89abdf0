import Delivery
import Testing

@testable import Engine

@Suite struct `An answer of Apple's` {
    private func desk() throws -> EngineDesk {
        let desk = try EngineDesk()
        desk.assign()
        desk.push(offset: 0)
        return desk
    }

    @Test(arguments: ["BadDeviceToken", "DeviceTokenNotForTopic"])
    func `that makes a token suspect tells people, and kills nothing`(reason: String) throws {
        let desk = try desk()
        try desk.sendAndAnswer(400, reason)
        let all = desk.settle()
        #expect(all.outcomes.first?.value.contains(#""suspect":true"#) == true)
        #expect(all.deadLetters.count == 1)
        #expect(all.unregistered.isEmpty)
        #expect(desk.send() == nil)
    }

    @Test func `that refuses for good is never asked for again`() throws {
        let desk = try desk()
        try desk.sendAndAnswer(413, "PayloadTooLarge")
        desk.pass(milliseconds: 10_000_000)
        #expect(desk.send() == nil)
        let all = desk.settle()
        #expect(all.outcomes.first?.value.contains(#""verdict":"rejected""#) == true)
        #expect(all.deadLetters.count == 1)
    }

    @Test func `with an empty reason is not believed, and loses nothing`() throws {
        let desk = try desk()
        try desk.sendAndAnswer(400)
        #expect(desk.engine.queues.isSuspended(AppID(0)))
        #expect(desk.settle().isEmpty)
    }

    @Test func `with a status of success that APNs does not use leaves the push in doubt`() throws {
        let desk = try desk()
        try desk.sendAndAnswer(204)
        let outcome = try #require(desk.settle().first)
        #expect(outcome.value.contains(#""verdict":"unknown""#))
    }

    @Test func `to a push that has ended already changes nothing`() throws {
        let desk = try desk()
        let place = try #require(desk.send())
        desk.engine.inDoubt(place, reason: "lost")
        desk.answer(place, 200)
        let all = desk.settle()
        #expect(all.count == 1)
        #expect(all.first?.value.contains(#""verdict":"unknown""#) == true)
    }

    @Test(arguments: [false, true])
    func `that accepts and says nothing more does what any acceptance does`(
        isPlain: Bool
    ) throws {
        let desk = try desk()
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        #expect(desk.engine.queues.isSuspended(AppID(0)))
        desk.pass(milliseconds: 60_000)
        let probe = try #require(desk.send())
        desk.pass(milliseconds: 7)
        if isPlain { desk.engine.accepted(probe) } else { desk.answer(probe, 200) }
        #expect(!desk.engine.queues.isSuspended(AppID(0)))
        // A second time it is late.
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
    func `of 410 is the end of the token`(reason: String) throws {
        let desk = try desk()
        try desk.sendAndAnswer(410, reason, timestamp: 1)
        let all = desk.settle()
        #expect(all.unregistered.count == 1)
        #expect(all.deadLetters.isEmpty)
    }

    @Test func `that calls for another connection is followed at once`() throws {
        let desk = try desk()
        try desk.sendAndAnswer(503, "Shutdown")
        #expect(desk.publish().isEmpty)
        try desk.sendAndAnswer(200)
        let outcome = try #require(desk.settle().first)
        #expect(outcome.value.contains(#""attempts":2"#))
    }

    @Test func `that calls for another connection for ever is not followed for ever`() throws {
        let desk = try desk()
        var attempts = 0
        while attempts < 1000, let place = desk.send() {
            attempts += 1
            desk.answer(place, 503, "Shutdown")
        }
        #expect(attempts == 20)
        #expect(desk.settle().deadLetters.first?.header("apns-bridge-reason") == "Shutdown")
    }

    @Test func `that asks for a new provider token is followed once, then holds the line`() throws {
        let desk = try desk()
        try desk.sendAndAnswer(403, "ExpiredProviderToken")
        #expect(!desk.engine.queues.isSuspended(AppID(0)))
        try desk.sendAndAnswer(403, "ExpiredProviderToken")
        #expect(desk.engine.queues.isSuspended(AppID(0)))
        #expect(desk.send() == nil)
        #expect(desk.settle().isEmpty)
    }

    @Test func `that never comes, of a push that never left, costs no attempt`() throws {
        let desk = try desk()
        desk.engine.notSent(try #require(desk.send()))
        try desk.sendAndAnswer(200)
        #expect(desk.settle().first?.value.contains(#""attempts":1"#) == true)
    }

    @Test func `that is new is counted, and told once`() throws {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<4 { desk.push("ab\(10 + offset)", offset: Int64(offset)) }
        for _ in 0..<3 { try desk.sendAndAnswer(400, "BadMoon") }
        try desk.sendAndAnswer(502)
        #expect(desk.engine.counters.newResponses == 4)
        #expect(desk.engine.notices.map(\.level) == [.warning, .warning])
        let notice = try #require(desk.engine.notices.first)
        #expect(notice["status"] == "400")
        #expect(notice["reason"] == "BadMoon")
    }

    @Test(arguments: [(400, "DuplicateHeaders"), (404, "BadPath"), (405, "MethodNotAllowed")])
    func `that no correct client gets is an alarm, once`(status: Int, reason: String) throws {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<2 { desk.push("ab\(10 + offset)", offset: Int64(offset)) }
        for _ in 0..<2 { try desk.sendAndAnswer(status, reason) }
        #expect(desk.engine.notices.map(\.level) == [.error])
        #expect(desk.engine.counters.newResponses == 0)
    }
}
