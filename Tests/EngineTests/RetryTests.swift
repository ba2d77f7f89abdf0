import APNs
import Delivery
import Testing

@testable import Engine

@Suite struct `A push that APNs rejects temporarily` {
    private func desk(
        more: String = "", tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineDesk {
        let desk = try EngineDesk(tweak: tweak)
        desk.assign()
        desk.push(offset: 0, more: more)
        return desk
    }

    @Test func `is sent again within the ceiling of its back-off`() throws {
        let desk = try desk()
        for attempt in 1...5 {
            try desk.sendAndAnswer(429, "TooManyRequests")
            let due = try #require(desk.nextRetry)
            let ceiling = desk.engine.settings.retry.ceiling(afterAttempts: attempt)
            #expect(due - desk.engine.now <= ceiling)
            #expect(desk.send() == nil || due == desk.engine.now)
            desk.pass(milliseconds: ceiling.milliseconds)
        }
        #expect(desk.engine.counters.retries == 5)
        #expect(desk.engine.figures.retries == ["TooManyRequests": 5])
        #expect(desk.publish().isEmpty)
    }

    @Test func `waits at least as long as APNs asks`() throws {
        let desk = try desk()
        desk.answer(try #require(desk.send()), 503, "ServiceUnavailable", retryAfter: 30)
        desk.pass(milliseconds: 29_999)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 1)
        #expect(desk.send() != nil)
    }

    @Test func `is dropped as unreachable if it never left`() throws {
        let desk = try desk { $0.retry.giveUpAfter = .milliseconds(60_000) }
        for _ in 0..<3 { desk.engine.notSent(try #require(desk.send())) }
        let due = try #require(desk.nextRetry)
        #expect(due >= desk.engine.now)
        desk.pass(milliseconds: 61_000)
        let all = desk.settle()
        #expect(all.first?.value.contains(#""reason":"unreachable""#) == true)
    }

    @Test func `is dropped without a status if a field cannot be sent`() throws {
        let desk = try desk()
        let push = try #require(desk.send())
        desk.engine.unsendable(push, .invalidField(detail: "a line feed"))
        let all = desk.settle()
        let words = #""reason":"unsendable_field","detail":"a line feed","#
        #expect(all.contains { $0.value.contains(words) })
        #expect(all.deadLetters.first?.header("apns-bridge-detail") == "a line feed")
        #expect(all.contains { $0.value.contains(#""status":null"#) })
    }

    @Test func `has no attempts and no times if it cannot be sent`() throws {
        for reason in [UnsendableReason.invalidField(detail: ""), .notInCertificate] {
            let desk = try desk()
            desk.engine.unsendable(try #require(desk.send()), reason)
            let outcome = try #require(desk.settle().outcomes.first)
            #expect(outcome.value.contains(#""attempts":0,"#))
            #expect(outcome.value.contains(#""sent_at":null,"answered_at":null"#))
        }
    }

    @Test func `does not wait longer than it is retried`() throws {
        let desk = try desk { $0.retry.giveUpAfter = .milliseconds(60_000) }
        desk.answer(try #require(desk.send()), 503, retryAfter: 999_999_999)
        #expect(try #require(desk.nextRetry) <= desk.engine.now + .milliseconds(60000))
    }

    @Test func `keeps its apns-id`() throws {
        let desk = try desk()
        let first = try #require(desk.send())
        let id = desk.apnsID(first)
        desk.answer(first, 500, "InternalServerError")
        desk.pass(milliseconds: 500)
        let second = try #require(desk.send())
        #expect(desk.apnsID(second) == id)
    }

    @Test func `delays no other push`() throws {
        let desk = try desk()
        desk.push(offset: 1)
        try desk.sendAndAnswer(503)
        #expect(desk.send() != nil)
    }

    @Test func `is dropped with the last response if it expires while it waits`() throws {
        let desk = try desk(more: #","expiration":\#(EngineDesk.start / 1000 + 10)"#)
        desk.answer(try #require(desk.send()), 429, "TooManyRequests", retryAfter: 60)
        desk.pass(milliseconds: 11_000)
        let all = desk.settle()
        #expect(all.count == 1)
        let value = try #require(all.first).value
        #expect(value.contains(#""verdict":"dropped","reason":"expired","detail":"it expired"#))
        #expect(value.contains(#""last_status":429,"last_reason":"TooManyRequests","status":null"#))
    }

    @Test func `is rejected with the last reason when its attempts are used up`() throws {
        let desk = try desk { $0.retry.maxAttempts = 3 }
        for _ in 0..<3 {
            try desk.sendAndAnswer(503, "ServiceUnavailable")
            desk.pass(milliseconds: 300_000)
        }
        #expect(desk.send() == nil)
        let all = desk.settle()
        let value = try #require(all.outcomes.first).value
        #expect(value.contains(#""verdict":"rejected","reason":"ServiceUnavailable","#))
        #expect(value.contains(#""status":503,"#))
        #expect(value.contains(#""attempts":3,"#))
        #expect(all.deadLetters.first?.header("apns-bridge-attempts") == "3")
    }

    @Test func `is rejected with the last reason when its time is used up`() throws {
        let desk = try desk { $0.retry.giveUpAfter = .milliseconds(10_000) }
        desk.answer(try #require(desk.send()), 503, "ServiceUnavailable", retryAfter: 60)
        desk.pass(milliseconds: 9000)
        #expect(desk.publish().isEmpty)
        desk.pass(milliseconds: 2000)
        let all = desk.settle()
        #expect(all.outcomes.first?.value.contains(#""reason":"ServiceUnavailable""#) == true)
        #expect(all.deadLetters.count == 1)
    }

    @Test func `ends once, even if its old deadline passes later`() throws {
        let desk = try desk { $0.retry.giveUpAfter = .milliseconds(10_000) }
        desk.answer(try #require(desk.send()), 503, "", retryAfter: 60)
        desk.pass(milliseconds: 11_000)
        #expect(desk.settle().count == 2)
        desk.push(offset: 1)
        let push = try #require(desk.send())
        desk.pass(milliseconds: 60_000)
        #expect(desk.engine.pushes[push].state.kind == .inFlight)
        #expect(desk.send() == nil)
    }
}

@Suite struct `A push that no connection accepts` {
    @Test func `is dropped as unreachable when its time is used up`() throws {
        let desk = try EngineDesk { $0.retry.giveUpAfter = .milliseconds(10_000) }
        desk.assign()
        desk.push(offset: 0)
        desk.pass(milliseconds: 9000)
        #expect(desk.publish().isEmpty)
        desk.pass(milliseconds: 2000)
        let all = desk.settle()
        let value = try #require(all.outcomes.first).value
        #expect(value.contains(#""verdict":"dropped","reason":"unreachable","#))
        let letter = try #require(all.deadLetters.first)
        let detail = "APNs never responded before the push was given up"
        #expect(letter.header("apns-bridge-detail") == detail)
        #expect(desk.next() == 1)
    }

    @Test func `is dropped as expired if its expiration comes first`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push(offset: 0, more: #","expiration":\#(EngineDesk.start / 1000 + 2)"#)
        desk.pass(milliseconds: 3000)
        let all = desk.settle()
        #expect(all.count == 1)
        #expect(all.first?.value.contains(#""reason":"expired""#) == true)
    }
}
