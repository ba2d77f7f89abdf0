import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A spike of unregistered or suspect device tokens` {
    /// A harness with so many records, whose guard needs ten responses.
    private func harness(
        _ records: Int = 100, tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> (EngineHarness, AssignmentID) {
        let harness = try EngineHarness {
            $0.invalidation = GuardSettings(share: 0.5, minimum: 10)
            tweak(&$0)
        }
        let id = harness.assign()
        for offset in 0..<records { harness.push("ab\(1000 + offset)", offset: Int64(offset)) }
        return (harness, id)
    }

    /// Lets APNs reject ten tokens, which engages the guard.
    private func engaged(
        _ records: Int = 100, status: Int = 410, reason: String = "Unregistered",
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> (EngineHarness, AssignmentID) {
        let (harness, id) = try harness(records, tweak: tweak)
        for _ in 0..<10 { try harness.sendAndRespond(status, reason) }
        #expect(harness.engine.notices.map(\.name) == ["guardEngaged"])
        return (harness, id)
    }

    @Test(arguments: [
        (410, "Unregistered"), (410, "ExpiredToken"), (400, "BadDeviceToken"),
        (400, "DeviceTokenNotForTopic"),
    ])
    func `suspends sending, and is not reported`(status: Int, reason: String) throws {
        let (harness, _) = try engaged(status: status, reason: reason)
        #expect(harness.send() == nil)
        #expect(harness.publish().isEmpty)
        #expect(harness.next() == 0)
        #expect(harness.openRecords == 100)
    }

    @Test func `raises one alarm with its numbers`() throws {
        let (harness, _) = try engaged()
        let alarm = Notice.GuardAlarm(
            app: "shop", bundleID: "com.example.shop", responses: 10, bad: 10, limit: 0.5,
            window: .seconds(60))
        #expect(harness.engine.notices == [.guardEngaged(alarm)])
    }

    @Test func `does not withhold accepted pushes`() throws {
        let (harness, _) = try harness()
        let pushes = (0..<30).compactMap { _ in harness.send() }
        for push in pushes.prefix(10) { harness.respond(push, 410, "Unregistered") }
        for push in pushes.suffix(20) { harness.respond(push, 200) }
        let all = harness.settle()
        #expect(all.outcomes.count == 20 && all.unregistered.isEmpty)
    }

    @Test func `also withholds the verdicts that follow`() throws {
        let (harness, _) = try harness()
        let pushes = (0..<30).compactMap { _ in harness.send() }
        for push in pushes { harness.respond(push, 410, "Unregistered") }
        #expect(harness.publish().isEmpty)
        harness.engine.releaseGuards()
        #expect(harness.settle().unregistered.count == 30)
    }

    @Test func `is reported when an operator releases the guard`() throws {
        let (harness, _) = try engaged()
        _ = harness.publish()
        harness.engine.releaseGuards()
        let all = harness.settle()
        #expect(all.outcomes.count == 10 && all.unregistered.count == 10)
        #expect(harness.next() == 10)
        #expect(harness.send() != nil)
        #expect(harness.engine.notices.map(\.name) == ["guardEngaged", "guardReleased"])
    }

    @Test func `is over when a probe of 20 tokens succeeds`() throws {
        let (harness, _) = try engaged()
        _ = harness.publish()
        harness.pass(milliseconds: 29_999)
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 1)
        let probes = harness.sendAll()
        #expect(probes.count == 20)
        for push in probes { harness.respond(push, 200) }
        let all = harness.settle()
        #expect(all.outcomes.count == 30 && all.unregistered.count == 10)
        #expect(harness.sendAll().count == 70)
    }

    @Test func `continues if the tokens of a probe are unregistered, too`() throws {
        let (harness, _) = try engaged()
        harness.pass(milliseconds: 30_000)
        for push in harness.sendAll() { harness.respond(push, 410, "Unregistered") }
        #expect(harness.publish().isEmpty && harness.send() == nil)
        harness.pass(milliseconds: 59_999)
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 1)
        #expect(harness.sendAll().count == 20)
    }

    @Test func `is probed with other tokens in push of inconclusive ones`() throws {
        let (harness, _) = try engaged()
        harness.pass(milliseconds: 30_000)
        let probes = harness.sendAll()
        harness.respond(probes[0], 503, "ServiceUnavailable")
        harness.engine.inDoubt(probes[1], reason: "lost")
        harness.respond(probes[2], 413, "PayloadTooLarge")
        #expect(harness.sendAll().count == 3)
    }

    @Test func `costs waiting records neither time nor attempts`() throws {
        let (harness, _) = try engaged { $0.retry.giveUpAfter = .milliseconds(60_000) }
        for _ in 0..<10 { harness.pass(milliseconds: 60_000) }
        #expect(harness.publish().isEmpty)
        harness.engine.releaseGuards()
        #expect(harness.settle().unregistered.count == 10)
        #expect(harness.sendAll().count == 90)
    }

    @Test func `leaves its records to the next owner when the partition is revoked`() throws {
        let (harness, id) = try engaged()
        _ = harness.publish()
        harness.engine.revoking([id])
        #expect(harness.openRecords == 0)
        #expect(harness.next(id) == 0)
        harness.engine.releaseGuards()
        #expect(harness.publish().isEmpty)
    }

    @Test func `leaves its records to the next start when the worker drains`() throws {
        let (harness, id) = try harness()
        let pushes = (0..<30).compactMap { _ in harness.send() }
        for push in pushes.prefix(15) { harness.respond(push, 410, "Unregistered") }
        #expect(harness.publish().isEmpty)
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        for push in pushes.suffix(15) { harness.respond(push, 410, "Unregistered") }
        #expect(harness.publish().isEmpty)
        #expect(harness.openRecords == 0)
        #expect(harness.next(id) == 0)
    }

    @Test func `unregisters no token if its records cannot be read again`() throws {
        let (harness, id) = try engaged(10)
        _ = harness.publish()
        let reset = PositionReset(next: 10, refused: 10, low: 0, high: 5, highest: nil)
        _ = harness.replace(id, try #require(reset))
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        #expect(harness.openRecords == 10)
        harness.engine.close()
        let all = harness.settle()
        #expect(all.outcomes.count == 10 && all.unregistered.isEmpty)
        #expect(harness.openRecords == 0)
    }
}

@Suite struct `A device or an app with a rate limit` {
    @Test func `gets its pushes one at a time, and does not delay others`() throws {
        let harness = try EngineHarness {
            $0.rate.perDevice = PushRate(2, per: .seconds(1))
        }
        harness.assign()
        for offset in 0..<4 { harness.push("ab01", offset: Int64(offset)) }
        harness.push("ab02", offset: 4)
        #expect(harness.sendAll().map(harness.offset) == [0, 1, 4])
        harness.pass(milliseconds: 499)
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 1)
        #expect(harness.sendAll().count == 1)
        harness.pass(milliseconds: 500)
        #expect(harness.sendAll().count == 1)
        #expect(harness.engine.counters.retries == 0)
    }

    @Test func `gets no more pushes than it may, and the worker wakes for the next`() throws {
        let harness = try EngineHarness { $0.rate.perApp = PushRate(10, per: .seconds(1)) }
        harness.assign()
        for offset in 0..<100 { harness.push(offset: Int64(offset)) }
        #expect(harness.sendAll().count == 10)
        harness.pass(milliseconds: 0)
        #expect(harness.nextDeadline == harness.engine.now + .milliseconds(100))
        harness.pass(milliseconds: 1000)
        #expect(harness.sendAll().count == 10)
    }

    @Test func `has fewer pushes in flight while APNs is busy, if concurrency adapts`() throws {
        let harness = try EngineHarness {
            $0.maxInFlight = 100
            $0.rate.isAdaptive = true
        }
        harness.assign()
        for offset in 0..<100 { harness.push("ab\(10 + offset % 90)", offset: Int64(offset)) }
        let pushes = harness.sendAll()
        #expect(pushes.count == 100)
        for (index, push) in pushes.enumerated() {
            if index == 50 { harness.pass(milliseconds: 1000) }
            harness.respond(push, 503, "ServiceUnavailable", retryAfter: 1)
        }
        harness.pass(milliseconds: 1000)
        #expect((16...66).contains(harness.sendAll().count))
    }
}

@Suite struct `Ended Live Activities and Push to Talk channels` {
    private func harness(_ event: (Int) -> String) throws -> EngineHarness {
        let harness = try EngineHarness {
            $0.invalidation = GuardSettings(share: 0.2, minimum: 20)
        }
        harness.assign()
        for offset in 0..<60 { harness.take(event(offset), offset: Int64(offset)) }
        return harness
    }

    private func activity(_ number: Int) -> String {
        let aps = #"{"event":"update","timestamp":1767261600,"content-state":{}}"#
        return #"{"device_token":"ab\#(10 + number)","push_type":"liveactivity","#
            + #""payload":{"aps":\#(aps)}}"#
    }

    private func talk(_ number: Int) -> String {
        #"{"device_token":"ab\#(10 + number)","push_type":"pushtotalk","payload":{"aps":{}}}"#
    }

    @Test(arguments: [true, false])
    func `do not engage the mass-invalidation guard`(isActivity: Bool) throws {
        let harness = try harness(isActivity ? activity : talk)
        for id in harness.sendAll() { harness.respond(id, 410, "Unregistered") }
        #expect(!harness.isAnyAppSuspended)
        let records = harness.settle().unregistered
        #expect(records.count == 60)
        let type = isActivity ? "liveactivity" : "pushtotalk"
        #expect(records.allSatisfy { $0.value.contains(#""push_type":"\#(type)""#) })
    }

    @Test(arguments: ["BadDeviceToken", "DeviceTokenNotForTopic"])
    func `engage it with tokens that are bad for another reason`(reason: String) throws {
        let harness = try harness(activity)
        for id in harness.sendAll() { harness.respond(id, 400, reason) }
        #expect(harness.isAnyAppSuspended)
    }
}
