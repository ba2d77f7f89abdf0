import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `The head of an app's queue` {
    private func desk(_ ordering: DeliverySettings.Ordering) throws -> EngineDesk {
        let desk = try EngineDesk(plan: Samples.twoAppsPlan()) {
            $0.apps = Samples.twoApps
            $0.ordering = ordering
        }
        desk.assign()
        return desk
    }

    @Test func `is checked again after another app's push made it the head`() throws {
        let desk = try desk(.key)
        let soon = EngineDesk.start / 1000 + 3
        for (offset, app) in ["pay", "shop"].enumerated() {
            let more = #","bundle_id":"com.example.\#(app)","expiration":\#(soon)"#
            desk.take(Samples.event("ab01", more: more), offset: Int64(offset), key: "ada")
        }
        desk.engine.setTime(desk.engine.now, wallClock: EngineDesk.start + 5000)
        #expect(desk.send() == nil)
        let outcomes = desk.settle().outcomes
        #expect(outcomes.count == 2)
        #expect(outcomes.allSatisfy { $0.value.contains(#""reason":"expired""#) })
    }

    @Test func `is removed if its record is abandoned because of another app's push`() throws {
        let desk = try desk(.none)
        desk.engine.devices.value = Devices(rate: RateLimit(PushRate(1, per: .seconds(600))))
        let both = #"{"device_tokens":["aa","bb","cc"],"payload":{"aps":{"alert":"Hi"}},"#
        desk.take(both + #""bundle_id":"com.example.shop"}"#, offset: 0)
        desk.answer(try #require(desk.send()), 200)
        desk.settle()
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        while let id = desk.send() { desk.answer(id, 200) }
        desk.settle()
        #expect(desk.openRecords == 0)
    }
}

@Suite struct `A push with values at their limits` {
    @Test func `counts attempts neither below zero nor above the maximum`() {
        var push = Push()
        push.takeBackAttempt()
        #expect(push.attempts == 0)
        push.attempts = .max
        push.countAttempt()
        #expect(push.attempts == .max)
    }

    @Test func `has no bundle identifier in its outcome if it has none`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.take(Samples.event("aa", more: #","bundle_id":"not valid!""#), offset: 0)
        let outcome = try #require(desk.settle().outcomes.first).value
        #expect(outcome.contains(#""reason":"invalid_bundle_id""#))
        #expect(outcome.contains(#""bundle_id":null"#))
    }

    @Test func `is not resent if a breach of HTTP/2 is reported late`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push(offset: 0)
        let id = try #require(desk.send())
        desk.engine.notSent(id)
        desk.engine.refusedAsMalformed(id, reason: "late")
        #expect(!desk.engine.pushes[details: id].wasRetriedOnce)
        #expect(desk.send() == id)
    }
}

@Suite struct `A probe of the guard` {
    @Test func `is replaced by another one if it is throttled`() throws {
        let desk = try EngineDesk { $0.invalidation = GuardSettings(share: 0.5, minimum: 10) }
        desk.assign()
        for offset in 0..<80 { desk.push("ab\(10 + offset)", offset: Int64(offset)) }
        for _ in 0..<10 { try desk.sendAndAnswer(410, "Unregistered") }
        desk.pass(milliseconds: 30_000)
        let probes = desk.sendAll()
        #expect(probes.count == 20)
        desk.answer(probes[0], 429, "TooManyRequests")
        for id in probes.dropFirst() { desk.answer(id, 200) }
        desk.answer(try #require(desk.send()), 200)
        #expect(!desk.engine.queues.isSuspended(AppID(0)))
    }

    @Test func `counts once if it is rejected for an unrecognized reason`() throws {
        let desk = try EngineDesk { $0.invalidation = GuardSettings(share: 0.5, minimum: 10) }
        desk.assign()
        for offset in 0..<80 { desk.push("ab\(10 + offset)", offset: Int64(offset)) }
        for _ in 0..<10 { try desk.sendAndAnswer(410, "Unregistered") }
        desk.pass(milliseconds: 30_000)
        let probes = desk.sendAll()
        desk.answer(probes[0], 400, "BadMoon")
        #expect(desk.sendAll().count == 1)
    }
}
