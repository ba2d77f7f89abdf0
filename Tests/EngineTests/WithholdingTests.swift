import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A spike of unregistered or suspect device tokens` {
    /// A desk with so many records, whose guard needs ten responses.
    private func desk(
        _ records: Int = 100, tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> (EngineDesk, AssignmentID) {
        let desk = try EngineDesk {
            $0.invalidation = GuardSettings(share: 0.5, minimum: 10)
            tweak(&$0)
        }
        let id = desk.assign()
        for offset in 0..<records { desk.push("ab\(1000 + offset)", offset: Int64(offset)) }
        return (desk, id)
    }

    /// Lets APNs reject ten tokens, which engages the guard.
    private func engaged(
        _ records: Int = 100, status: Int = 410, reason: String = "Unregistered",
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> (EngineDesk, AssignmentID) {
        let (desk, id) = try desk(records, tweak: tweak)
        for _ in 0..<10 { try desk.sendAndAnswer(status, reason) }
        #expect(desk.engine.notices.map(\.name) == ["guardEngaged"])
        return (desk, id)
    }

    @Test(arguments: [
        (410, "Unregistered"), (410, "ExpiredToken"), (400, "BadDeviceToken"),
        (400, "DeviceTokenNotForTopic"),
    ])
    func `suspends sending, and is not reported`(status: Int, reason: String) throws {
        let (desk, _) = try engaged(status: status, reason: reason)
        #expect(desk.send() == nil)
        #expect(desk.publish().isEmpty)
        #expect(desk.next() == 0)
        #expect(desk.openRecords == 100)
    }

    @Test func `raises one alarm with its numbers`() throws {
        let (desk, _) = try engaged()
        let alarm = Notice.GuardAlarm(
            app: "shop", bundleID: "com.example.shop", responses: 10, bad: 10, limit: 0.5,
            window: .seconds(60))
        #expect(desk.engine.notices == [.guardEngaged(alarm)])
    }

    @Test func `does not withhold accepted pushes`() throws {
        let (desk, _) = try desk()
        let pushes = (0..<30).compactMap { _ in desk.send() }
        for push in pushes.prefix(10) { desk.answer(push, 410, "Unregistered") }
        for push in pushes.suffix(20) { desk.answer(push, 200) }
        let all = desk.settle()
        #expect(all.outcomes.count == 20 && all.unregistered.isEmpty)
    }

    @Test func `also withholds the verdicts that follow`() throws {
        let (desk, _) = try desk()
        let pushes = (0..<30).compactMap { _ in desk.send() }
        for push in pushes { desk.answer(push, 410, "Unregistered") }
        #expect(desk.publish().isEmpty)
        desk.engine.releaseGuards()
        #expect(desk.settle().unregistered.count == 30)
    }

    @Test func `is reported when an operator releases the guard`() throws {
        let (desk, _) = try engaged()
        _ = desk.publish()
        desk.engine.releaseGuards()
        let all = desk.settle()
        #expect(all.outcomes.count == 10 && all.unregistered.count == 10)
        #expect(desk.next() == 10)
        #expect(desk.send() != nil)
        #expect(desk.engine.notices.map(\.name) == ["guardEngaged", "guardReleased"])
    }

    @Test func `is over when a probe of 20 tokens succeeds`() throws {
        let (desk, _) = try engaged()
        _ = desk.publish()
        desk.pass(milliseconds: 29_999)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 1)
        let probes = desk.sendAll()
        #expect(probes.count == 20)
        for push in probes { desk.answer(push, 200) }
        let all = desk.settle()
        #expect(all.outcomes.count == 30 && all.unregistered.count == 10)
        #expect(desk.sendAll().count == 70)
    }

    @Test func `continues if the tokens of a probe are unregistered, too`() throws {
        let (desk, _) = try engaged()
        desk.pass(milliseconds: 30_000)
        for push in desk.sendAll() { desk.answer(push, 410, "Unregistered") }
        #expect(desk.publish().isEmpty && desk.send() == nil)
        desk.pass(milliseconds: 59_999)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 1)
        #expect(desk.sendAll().count == 20)
    }

    @Test func `is probed with other tokens in push of inconclusive ones`() throws {
        let (desk, _) = try engaged()
        desk.pass(milliseconds: 30_000)
        let probes = desk.sendAll()
        desk.answer(probes[0], 503, "ServiceUnavailable")
        desk.engine.inDoubt(probes[1], reason: "lost")
        desk.answer(probes[2], 413, "PayloadTooLarge")
        #expect(desk.sendAll().count == 3)
    }

    @Test func `costs waiting records neither time nor attempts`() throws {
        let (desk, _) = try engaged { $0.retry.giveUpAfter = .milliseconds(60_000) }
        for _ in 0..<10 { desk.pass(milliseconds: 60_000) }
        #expect(desk.publish().isEmpty)
        desk.engine.releaseGuards()
        #expect(desk.settle().unregistered.count == 10)
        #expect(desk.sendAll().count == 90)
    }

    @Test func `leaves its records to the next owner when the partition is revoked`() throws {
        let (desk, id) = try engaged()
        _ = desk.publish()
        desk.engine.revoking([id])
        #expect(desk.openRecords == 0)
        #expect(desk.next(id) == 0)
        desk.engine.releaseGuards()
        #expect(desk.publish().isEmpty)
    }

    @Test func `leaves its records to the next start when the worker drains`() throws {
        let (desk, id) = try desk()
        let pushes = (0..<30).compactMap { _ in desk.send() }
        for push in pushes.prefix(15) { desk.answer(push, 410, "Unregistered") }
        #expect(desk.publish().isEmpty)
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        for push in pushes.suffix(15) { desk.answer(push, 410, "Unregistered") }
        #expect(desk.publish().isEmpty)
        #expect(desk.openRecords == 0)
        #expect(desk.next(id) == 0)
    }

    @Test func `unregisters no token if its records cannot be read again`() throws {
        let (desk, id) = try engaged(10)
        _ = desk.publish()
        let reset = PositionReset(next: 10, refused: 10, low: 0, high: 5, highest: nil)
        _ = desk.replace(id, try #require(reset))
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        #expect(desk.openRecords == 10)
        desk.engine.close()
        let all = desk.settle()
        #expect(all.outcomes.count == 10 && all.unregistered.isEmpty)
        #expect(desk.openRecords == 0)
    }
}

@Suite struct `A device or an app with a rate limit` {
    @Test func `gets its pushes one at a time, and does not delay others`() throws {
        let desk = try EngineDesk {
            $0.rate.perDevice = PushRate(2, per: .seconds(1))
        }
        desk.assign()
        for offset in 0..<4 { desk.push("ab01", offset: Int64(offset)) }
        desk.push("ab02", offset: 4)
        #expect(desk.sendAll().map(desk.offset) == [0, 1, 4])
        desk.pass(milliseconds: 499)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 1)
        #expect(desk.sendAll().count == 1)
        desk.pass(milliseconds: 500)
        #expect(desk.sendAll().count == 1)
        #expect(desk.engine.counters.retries == 0)
    }

    @Test func `gets no more pushes than it may, and the worker wakes for the next`() throws {
        let desk = try EngineDesk { $0.rate.perApp = PushRate(10, per: .seconds(1)) }
        desk.assign()
        for offset in 0..<100 { desk.push(offset: Int64(offset)) }
        #expect(desk.sendAll().count == 10)
        desk.pass(milliseconds: 0)
        #expect(desk.nextDeadline == desk.engine.now + .milliseconds(100))
        desk.pass(milliseconds: 1000)
        #expect(desk.sendAll().count == 10)
    }

    @Test func `has fewer pushes in flight while APNs is busy, if concurrency adapts`() throws {
        let desk = try EngineDesk {
            $0.maxInFlight = 100
            $0.rate.isAdaptive = true
        }
        desk.assign()
        for offset in 0..<100 { desk.push("ab\(10 + offset % 90)", offset: Int64(offset)) }
        let pushes = desk.sendAll()
        #expect(pushes.count == 100)
        for (index, push) in pushes.enumerated() {
            if index == 50 { desk.pass(milliseconds: 1000) }
            desk.answer(push, 503, "ServiceUnavailable", retryAfter: 1)
        }
        desk.pass(milliseconds: 1000)
        #expect((16...66).contains(desk.sendAll().count))
    }
}

@Suite struct `Ended Live Activities and Push to Talk channels` {
    private func desk(_ event: (Int) -> String) throws -> EngineDesk {
        let desk = try EngineDesk {
            $0.invalidation = GuardSettings(share: 0.2, minimum: 20)
        }
        desk.assign()
        for offset in 0..<60 { desk.take(event(offset), offset: Int64(offset)) }
        return desk
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
        let desk = try desk(isActivity ? activity : talk)
        for id in desk.sendAll() { desk.answer(id, 410, "Unregistered") }
        #expect(!desk.isAnyAppSuspended)
        let records = desk.settle().unregistered
        #expect(records.count == 60)
        let type = isActivity ? "liveactivity" : "pushtotalk"
        #expect(records.allSatisfy { $0.value.contains(#""push_type":"\#(type)""#) })
    }

    @Test(arguments: ["BadDeviceToken", "DeviceTokenNotForTopic"])
    func `engage it with tokens that are bad for another reason`(reason: String) throws {
        let desk = try desk(activity)
        for id in desk.sendAll() { desk.answer(id, 400, reason) }
        #expect(desk.isAnyAppSuspended)
    }
}
