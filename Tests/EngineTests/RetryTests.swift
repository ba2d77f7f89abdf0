import APNs
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `A push that APNs rejects temporarily` {
    private func harness(
        more: String = "", tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let harness = try EngineHarness(tweak: tweak)
        harness.assign()
        harness.push(offset: 0, more: more)
        return harness
    }

    @Test func `is sent again within the ceiling of its back-off`() throws {
        let harness = try harness()
        for attempt in 1...5 {
            try harness.sendAndRespond(429, "TooManyRequests")
            let due = try #require(harness.nextRetry)
            let ceiling = harness.engine.settings.retry.ceiling(afterAttempts: attempt)
            #expect(due - harness.engine.now <= ceiling)
            #expect(harness.send() == nil || due == harness.engine.now)
            harness.pass(milliseconds: ceiling.milliseconds)
        }
        #expect(harness.engine.counters.retries == 5)
        #expect(harness.engine.figures.retries == ["TooManyRequests": 5])
        #expect(harness.publish().isEmpty)
    }

    @Test func `waits at least as long as APNs asks`() throws {
        let harness = try harness()
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 30)
        harness.pass(milliseconds: 29_999)
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 1)
        #expect(harness.send() != nil)
    }

    @Test func `is dropped as unreachable if it never left`() throws {
        let harness = try harness { $0.retry.giveUpAfter = .milliseconds(60_000) }
        for _ in 0..<3 { harness.engine.notSent(try #require(harness.send())) }
        let due = try #require(harness.nextRetry)
        #expect(due >= harness.engine.now)
        harness.pass(milliseconds: 61_000)
        let all = harness.settle()
        #expect(all.first?.value.contains(#""reason":"unreachable""#) == true)
    }

    @Test func `is dropped without a status if a field cannot be sent`() throws {
        let harness = try harness()
        let push = try #require(harness.send())
        harness.engine.unsendable(push, .invalidField(detail: "a line feed"))
        let all = harness.settle()
        let message = #""reason":"unsendable_field","detail":"a line feed","#
        #expect(all.contains { $0.value.contains(message) })
        #expect(all.deadLetters.first?.header("apns-bridge-detail") == "a line feed")
        #expect(all.contains { $0.value.contains(#""status":null"#) })
    }

    @Test func `has no attempts and no times if it cannot be sent`() throws {
        for reason in [UnsendableReason.invalidField(detail: ""), .notInCertificate] {
            let harness = try harness()
            harness.engine.unsendable(try #require(harness.send()), reason)
            let outcome = try #require(harness.settle().outcomes.first)
            #expect(outcome.value.contains(#""attempts":0,"#))
            #expect(outcome.value.contains(#""sent_at":null,"answered_at":null"#))
        }
    }

    @Test func `does not wait longer than it is retried`() throws {
        let harness = try harness { $0.retry.giveUpAfter = .milliseconds(60_000) }
        harness.respond(try #require(harness.send()), 503, retryAfter: 999_999_999)
        #expect(try #require(harness.nextRetry) <= harness.engine.now + .milliseconds(60000))
    }

    @Test func `keeps its apns-id`() throws {
        let harness = try harness()
        let first = try #require(harness.send())
        let id = harness.apnsID(first)
        harness.respond(first, 500, "InternalServerError")
        harness.pass(milliseconds: 500)
        let second = try #require(harness.send())
        #expect(harness.apnsID(second) == id)
    }

    @Test func `delays no other push`() throws {
        let harness = try harness()
        harness.push(offset: 1)
        try harness.sendAndRespond(503)
        #expect(harness.send() != nil)
    }

    @Test func `is dropped with the last response if it expires while it waits`() throws {
        let harness = try harness(more: #","expiration":\#(EngineHarness.start / 1000 + 10)"#)
        harness.respond(try #require(harness.send()), 429, "TooManyRequests", retryAfter: 60)
        harness.pass(milliseconds: 11_000)
        let all = harness.settle()
        #expect(all.count == 1)
        let value = try #require(all.first).value
        #expect(value.contains(#""verdict":"dropped","reason":"expired","detail":"it expired"#))
        #expect(value.contains(#""last_status":429,"last_reason":"TooManyRequests","status":null"#))
    }

    @Test func `is rejected with the last reason when its attempts are used up`() throws {
        let harness = try harness { $0.retry.maxAttempts = 3 }
        for _ in 0..<3 {
            try harness.sendAndRespond(503, "ServiceUnavailable")
            harness.pass(milliseconds: 300_000)
        }
        #expect(harness.send() == nil)
        let all = harness.settle()
        let value = try #require(all.outcomes.first).value
        #expect(value.contains(#""verdict":"rejected","reason":"ServiceUnavailable","#))
        #expect(value.contains(#""status":503,"#))
        #expect(value.contains(#""attempts":3,"#))
        #expect(all.deadLetters.first?.header("apns-bridge-attempts") == "3")
    }

    @Test func `is rejected with the last reason when its time is used up`() throws {
        let harness = try harness { $0.retry.giveUpAfter = .milliseconds(10_000) }
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 60)
        harness.pass(milliseconds: 9000)
        #expect(harness.publish().isEmpty)
        harness.pass(milliseconds: 2000)
        let all = harness.settle()
        #expect(all.outcomes.first?.value.contains(#""reason":"ServiceUnavailable""#) == true)
        #expect(all.deadLetters.count == 1)
    }

    @Test func `ends once, even if its old deadline passes later`() throws {
        let harness = try harness { $0.retry.giveUpAfter = .milliseconds(10_000) }
        harness.respond(try #require(harness.send()), 503, "", retryAfter: 60)
        harness.pass(milliseconds: 11_000)
        #expect(harness.settle().count == 2)
        harness.push(offset: 1)
        let push = try #require(harness.send())
        harness.pass(milliseconds: 60_000)
        #expect(harness.engine.pushesCell.value[push].state.kind == .inFlight)
        #expect(harness.send() == nil)
    }
}

@Suite struct `A push that no connection accepts` {
    @Test func `is dropped as unreachable when its time is used up`() throws {
        let harness = try EngineHarness { $0.retry.giveUpAfter = .milliseconds(10_000) }
        harness.assign()
        harness.push(offset: 0)
        harness.pass(milliseconds: 9000)
        #expect(harness.publish().isEmpty)
        harness.pass(milliseconds: 2000)
        let all = harness.settle()
        let value = try #require(all.outcomes.first).value
        #expect(value.contains(#""verdict":"dropped","reason":"unreachable","#))
        let letter = try #require(all.deadLetters.first)
        let detail = "APNs never responded before the push was given up"
        #expect(letter.header("apns-bridge-detail") == detail)
        #expect(harness.next() == 1)
    }

    @Test func `is dropped as expired if its expiration comes first`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0, more: #","expiration":\#(EngineHarness.start / 1000 + 2)"#)
        harness.pass(milliseconds: 3000)
        let all = harness.settle()
        #expect(all.count == 1)
        #expect(all.first?.value.contains(#""reason":"expired""#) == true)
    }
}
