import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `The head of an app's queue` {
    private func harness(_ ordering: DeliverySettings.Ordering) throws -> EngineHarness {
        let harness = try EngineHarness(plan: Samples.twoAppsPlan()) {
            $0.apps = Samples.twoApps
            $0.ordering = ordering
        }
        harness.assign()
        return harness
    }

    @Test func `is checked again after another app's push made it the head`() throws {
        let harness = try harness(.key)
        let soon = EngineHarness.start / 1000 + 3
        for (offset, app) in ["pay", "shop"].enumerated() {
            let more = #","bundle_id":"com.example.\#(app)","expiration":\#(soon)"#
            harness.take(Samples.event("ab01", more: more), offset: Int64(offset), key: "ada")
        }
        harness.engine.setTime(harness.engine.now, wallClock: EngineHarness.start + 5000)
        #expect(harness.send() == nil)
        let outcomes = harness.settle().outcomes
        #expect(outcomes.count == 2)
        #expect(outcomes.allSatisfy { $0.value.contains(#""reason":"expired""#) })
    }

    @Test func `is removed if its record is abandoned because of another app's push`() throws {
        let harness = try harness(.none)
        harness.engine.devicesCell.value = Devices(rate: RateLimit(PushRate(1, per: .seconds(600))))
        let both = #"{"device_tokens":["aa","bb","cc"],"payload":{"aps":{"alert":"Hi"}},"#
        harness.take(both + #""bundle_id":"com.example.shop"}"#, offset: 0)
        harness.respond(try #require(harness.send()), 200)
        harness.settle()
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        while let id = harness.send() { harness.respond(id, 200) }
        harness.settle()
        #expect(harness.openRecords == 0)
    }
}

@Suite struct `A push with values at their limits` {
    @Test func `counts attempts neither below zero nor above the maximum`() {
        var push = Push()
        push.takeBackAttempt()
        #expect(push.attempts == 0)
        for _ in 0...Int(UInt16.max) { push.countAttempt() }
        #expect(push.attempts == .max)
    }

    @Test func `has no bundle identifier in its outcome if it has none`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(Samples.event("aa", more: #","bundle_id":"not valid!""#), offset: 0)
        let outcome = try #require(harness.settle().outcomes.first).value
        #expect(outcome.contains(#""reason":"invalid_bundle_id""#))
        #expect(outcome.contains(#""bundle_id":null"#))
    }

    @Test func `is not resent if a breach of HTTP/2 is reported late`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0)
        let id = try #require(harness.send())
        harness.engine.notSent(id)
        harness.engine.refusedAsMalformed(id, reason: "late")
        #expect(!harness.engine.pushesCell.value[details: id].wasRetriedOnce)
        #expect(harness.send() == id)
    }
}

@Suite struct `A probe of the guard` {
    @Test func `is replaced by another one if it is throttled`() throws {
        let harness = try EngineHarness { $0.invalidation = GuardSettings(share: 0.5, minimum: 10) }
        harness.assign()
        for offset in 0..<80 { harness.push("ab\(10 + offset)", offset: Int64(offset)) }
        for _ in 0..<10 { try harness.sendAndRespond(410, "Unregistered") }
        harness.pass(milliseconds: 30_000)
        let probes = harness.sendAll()
        #expect(probes.count == 20)
        harness.respond(probes[0], 429, "TooManyRequests")
        for id in probes.dropFirst() { harness.respond(id, 200) }
        harness.respond(try #require(harness.send()), 200)
        #expect(!harness.isFirstAppSuspended)
    }

    @Test func `counts once if it is rejected for an unrecognized reason`() throws {
        let harness = try EngineHarness { $0.invalidation = GuardSettings(share: 0.5, minimum: 10) }
        harness.assign()
        for offset in 0..<80 { harness.push("ab\(10 + offset)", offset: Int64(offset)) }
        for _ in 0..<10 { try harness.sendAndRespond(410, "Unregistered") }
        harness.pass(milliseconds: 30_000)
        let probes = harness.sendAll()
        harness.respond(probes[0], 400, "BadMoon")
        #expect(harness.sendAll().count == 1)
    }
}
