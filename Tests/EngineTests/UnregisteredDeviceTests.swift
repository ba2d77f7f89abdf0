import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `A device that APNs has reported as unregistered` {
    /// A harness whose first push, to `ab01`, got a 410.
    private func harness(
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let harness = try EngineHarness(tweak: tweak)
        harness.assign()
        harness.push("ab01", offset: 0)
        try harness.sendAndRespond(410, "Unregistered", timestamp: EngineHarness.start - 60_000)
        #expect(harness.settle().count == 2)
        return harness
    }

    /// An event that happened so many milliseconds after the harness was set up.
    private func later(_ milliseconds: Int64) -> String {
        #","event_time":\#(EngineHarness.start + milliseconds)"#
    }

    private func reasons(_ all: [EngineHarness.Published]) throws -> [String?] {
        try all.map { try Samples.member("reason", of: $0.value) }
    }

    @Test func `gets a push for a later event: its app may have registered again`() throws {
        let harness = try harness()
        harness.push("ab01", offset: 1, more: later(1))
        #expect(harness.send() != nil)
    }

    @Test func `gets no push for an event that happened before`() throws {
        let harness = try harness()
        for offset in 1...3 { harness.push("ab01", offset: Int64(offset)) }
        #expect(harness.send() == nil)
        let all = harness.settle()
        #expect(try reasons(all) == Array(repeating: "remembered_unregistered", count: 3))
        #expect(all.outcomes.count == 3)
        #expect(harness.next() == 4)
    }

    @Test(arguments: [true, false])
    func `gets older events again once a push to it was accepted`(isStored: Bool) throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push("ab01", offset: 0)
        try harness.sendAndRespond(410, "Unregistered")
        if isStored { harness.settle() }
        harness.push("ab01", offset: 1, more: later(1))
        try harness.sendAndRespond(200)
        // The result of the older 410 is stored now at the latest.
        harness.settle()
        harness.pass(milliseconds: 3000)
        harness.push("ab01", offset: 2)
        #expect(harness.sendAll().map(harness.offset) == [2])
    }

    @Test func `gets no older events after a 410 that came after an accepted push`() throws {
        let harness = try harness()
        harness.push("ab01", offset: 1, more: later(1))
        try harness.sendAndRespond(200)
        harness.pass(milliseconds: 10)
        harness.push("ab01", offset: 2, more: later(2))
        try harness.sendAndRespond(410, "Unregistered")
        harness.settle()
        harness.push("ab01", offset: 3)
        #expect(harness.send() == nil)
    }

    @Test func `is not known better because a push to another device was accepted`() throws {
        let harness = try harness()
        harness.push("ab02", offset: 1)
        try harness.sendAndRespond(200)
        harness.push("ab01", offset: 2)
        #expect(harness.send() == nil)
    }

    @Test func `gets no push that was queued when the response came`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push("ab01", offset: 0)
        harness.push("ab01", offset: 1)
        try harness.sendAndRespond(410, "Unregistered")
        #expect(harness.settle().unregistered.count == 1)
        #expect(harness.send() == nil)
        let all = harness.settle()
        #expect(all.unregistered.isEmpty && all.outcomes.count == 1)
    }

    @Test(arguments: [false, true])
    func `gets no queued push, although Kafka has no result yet`(orderedByDevice: Bool) throws {
        let harness = try EngineHarness(orderedByDevice: orderedByDevice)
        harness.assign()
        harness.push("ab01", offset: 0)
        harness.push("ab01", offset: 1)
        try harness.sendAndRespond(410, "Unregistered")
        #expect(harness.send() == nil)
        let published = harness.publish()
        #expect(published.outcomes.count == 2 && published.unregistered.count == 1)
        #expect(harness.send() == nil)
        harness.store(published)
        #expect(harness.next() == 2)
    }

    @Test func `has a record of each push in flight, as it may be the only one`() throws {
        let harness = try EngineHarness()
        let ids = [harness.assign(0), harness.assign(1)]
        for id in ids { harness.push("ab01", offset: 0, of: id) }
        let sent = harness.sendAll()
        harness.respond(sent[0], 410, "Unregistered")
        let first = harness.publish()
        harness.respond(sent[1], 410, "Unregistered")
        let second = harness.settle()
        #expect(first.unregistered.map(\.key) == second.unregistered.map(\.key))
        #expect(second.unregistered.count == 1)
        harness.engine.lost([ids[0]])
        #expect(harness.next(ids[1]) == 1)
    }

    @Test func `is reported again for a later event, after which the app was removed again`()
        throws
    {
        let harness = try harness()
        harness.pass(milliseconds: 10)
        harness.push("ab01", offset: 1, more: later(1))
        try harness.sendAndRespond(410, "Unregistered")
        #expect(harness.settle().unregistered.count == 1)
    }

    @Test func `is reported for another push if the partition of the first is lost`() throws {
        let harness = try EngineHarness()
        let first = harness.assign(0)
        let second = harness.assign(1)
        harness.push("ab01", offset: 0, of: first)
        harness.push("ab01", offset: 0, of: second)
        let sent = harness.sendAll()
        harness.respond(sent[0], 410, "Unregistered")
        _ = harness.publish()
        harness.engine.lost([first])
        harness.respond(sent[1], 410, "Unregistered")
        #expect(harness.settle().unregistered.count == 1)
    }

    /// The unregistered record, the outcome or both are lost with the partition.
    @Test(arguments: [[], [ResultKinds.outcome], [.unregistered]])
    func `gets its push again if Kafka does not have all of the results`(
        stored: [ResultKinds]
    ) throws {
        let harness = try EngineHarness()
        let first = harness.assign()
        harness.push("ab01", offset: 0)
        try harness.sendAndRespond(410, "Unregistered")
        let published = harness.publish()
        #expect(published.count == 2)
        harness.store(published.filter { stored.contains($0.ticket.kind) })
        harness.engine.lost([first])
        let second = harness.assign()
        harness.push("ab01", offset: 0, of: second)
        try harness.sendAndRespond(410, "Unregistered")
        #expect(harness.settle().unregistered.count == 1)
    }

    @Test func `does not keep others from being sent to`() throws {
        let harness = try harness()
        harness.push("ab02", offset: 1)
        #expect(harness.send() != nil)
    }

    @Test func `is the same in upper case`() throws {
        let harness = try harness()
        harness.push("AB01", offset: 1)
        #expect(harness.send() == nil)
    }

    @Test func `is remembered for an app alone`() throws {
        let harness = try harness {
            var other = $0.apps[0]
            other.name = "pay"
            other.bundleID = "com.example.pay"
            $0.apps.append(other)
        }
        harness.push("ab01", offset: 1, more: #","bundle_id":"com.example.pay""#)
        #expect(harness.send() != nil)
    }

    @Test func `keeps a push that may have arrived from being called dropped`() throws {
        let harness = try EngineHarness { $0.inDoubt = .resend }
        harness.assign()
        harness.push("ab01", offset: 0)
        harness.push("ab01", offset: 1)
        let inDoubt = try #require(harness.send())
        try harness.sendAndRespond(410, "Unregistered")
        harness.settle()
        harness.engine.inDoubt(inDoubt, reason: "timeout")
        harness.pass(milliseconds: 60_000)
        #expect(harness.send() != nil)
    }

    @Test func `is forgotten after the configured time`() throws {
        let harness = try harness { $0.rememberUnregistered = .seconds(60) }
        harness.pass(milliseconds: 59_999)
        harness.push("ab01", offset: 1)
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 1)
        harness.push("ab01", offset: 2)
        #expect(harness.send() != nil)
    }

    @Test func `is not remembered if the connector says so`() throws {
        let harness = try harness { $0.rememberUnregistered = .zero }
        harness.push("ab01", offset: 1)
        #expect(harness.send() != nil)
    }

    @Test func `is not remembered while the guard withholds the verdict`() throws {
        let harness = try EngineHarness { $0.invalidation = .init(share: 0.5, minimum: 1) }
        harness.assign()
        harness.push("ab01", offset: 0)
        try harness.sendAndRespond(410, "Unregistered")
        #expect(harness.publish().isEmpty)
        #expect(harness.engine.devicesCell.value.unregisteredCount == 0)
        harness.engine.releaseGuards()
        #expect(harness.settle().count == 2)
        #expect(harness.engine.devicesCell.value.unregisteredCount == 1)
    }

    @Test func `is remembered from its response on even if the verdict was withheld`() throws {
        let harness = try EngineHarness { $0.invalidation = .init(share: 0.5, minimum: 1) }
        harness.assign()
        harness.push("ab01", offset: 0)
        try harness.sendAndRespond(410, "Unregistered")
        harness.pass(milliseconds: 10_000)
        harness.engine.releaseGuards()
        harness.settle()
        harness.push("ab01", offset: 1, more: later(1))
        #expect(harness.send() != nil)
    }

    @Test func `gets events after the response even if the clock was ahead at that time`() throws {
        let harness = try harness()
        // The clock is set back by two hours; one minute later the app registers again.
        let wallClock = harness.engine.wallClock - 7_200_000 + 60_000
        harness.engine.setTime(harness.engine.now + .seconds(60), wallClock: wallClock)
        harness.push("ab01", offset: 1, more: #","event_time":\#(wallClock - 1000)"#)
        #expect(harness.send() != nil)
    }

    @Test func `lets the next push of its ordering key follow`() throws {
        let harness = try EngineHarness(orderedByDevice: true)
        harness.assign()
        for offset in 0..<3 { harness.push("ab01", offset: Int64(offset)) }
        try harness.sendAndRespond(410, "Unregistered")
        #expect(harness.settle().outcomes.count == 1)
        #expect(harness.send() == nil)
        #expect(harness.settle().outcomes.count == 2)
        #expect(harness.next() == 3)
    }
}

@Suite struct `The memory of unregistered devices` {
    private func device(_ number: Int) -> UnregisteredDevices.Device {
        var hash = TextHash()
        unsafe hash.add([UInt8]("device-\(number)".utf8).span.bytes)
        return .init(key: hash.value, check: ~hash.value)
    }

    private func moment(_ seconds: UInt64) -> Instant { Instant(nanoseconds: seconds << 30) }

    @Test func `does not confuse devices with the same first half of a hash`() {
        var memory = UnregisteredDevices()
        memory.insert(.init(key: 7, check: 1), respondedAt: moment(1))
        memory.insert(.init(key: 7, check: 2), respondedAt: moment(2))
        #expect(memory.respondedAt(7) { 1 } == moment(1))
        #expect(memory.respondedAt(7) { 2 } == moment(2))
        #expect(memory.respondedAt(7) { 3 } == nil)
    }

    @Test func `keeps nearly all that it has while it grows`() {
        var memory = UnregisteredDevices()
        for number in 0..<10_000 { memory.insert(device(number), respondedAt: moment(9)) }
        let found = (0..<10_000).count { number in
            memory.respondedAt(device(number).key) { device(number).check } != nil
        }
        // A device is forgotten early where eight others share its place.
        #expect(found > 9_900)
    }

    @Test func `forgets the devices whose response came first when it is full`() {
        var memory = UnregisteredDevices(maxCount: 64)
        for number in 0..<1000 {
            memory.insert(device(number), respondedAt: moment(UInt64(number + 1)))
        }
        #expect(memory.count <= 64)
        #expect(memory.respondedAt(device(999).key) { device(999).check } == moment(1000))
        #expect(memory.respondedAt(device(0).key) { device(0).check } == nil)
    }

    @Test func `occupies at most 32 MB`() {
        #expect(UnregisteredDevices.maxCount * 24 <= 32_000_000)
        var memory = UnregisteredDevices()
        #expect(memory.byteCount == 0)
        memory.insert(device(1), respondedAt: moment(1))
        #expect(memory.byteCount == 64 * 24)
    }
}
