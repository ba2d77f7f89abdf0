import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `A device that APNs has reported as unregistered` {
    /// A desk whose first push, to `ab01`, got a 410.
    private func desk(
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineDesk {
        let desk = try EngineDesk(tweak: tweak)
        desk.assign()
        desk.push("ab01", offset: 0)
        try desk.sendAndAnswer(410, "Unregistered", timestamp: EngineDesk.start - 60_000)
        #expect(desk.settle().count == 2)
        return desk
    }

    /// An event that happened so many milliseconds after the desk was set up.
    private func later(_ milliseconds: Int64) -> String {
        #","event_time":\#(EngineDesk.start + milliseconds)"#
    }

    private func reasons(_ all: [EngineDesk.Published]) throws -> [String?] {
        try all.map { try Samples.member("reason", of: $0.value) }
    }

    @Test func `gets a push for a later event: its app may have registered again`() throws {
        let desk = try desk()
        desk.push("ab01", offset: 1, more: later(1))
        #expect(desk.send() != nil)
    }

    @Test func `gets no push for an event that happened before`() throws {
        let desk = try desk()
        for offset in 1...3 { desk.push("ab01", offset: Int64(offset)) }
        #expect(desk.send() == nil)
        let all = desk.settle()
        #expect(try reasons(all) == Array(repeating: "remembered_unregistered", count: 3))
        #expect(all.outcomes.count == 3)
        #expect(desk.next() == 4)
    }

    @Test(arguments: [true, false])
    func `gets older events again once a push to it was accepted`(isStored: Bool) throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push("ab01", offset: 0)
        try desk.sendAndAnswer(410, "Unregistered")
        if isStored { desk.settle() }
        desk.push("ab01", offset: 1, more: later(1))
        try desk.sendAndAnswer(200)
        // The result of the older 410 is stored now at the latest.
        desk.settle()
        desk.pass(milliseconds: 3000)
        desk.push("ab01", offset: 2)
        #expect(desk.sendAll().map(desk.offset) == [2])
    }

    @Test func `gets no older events after a 410 that came after an accepted push`() throws {
        let desk = try desk()
        desk.push("ab01", offset: 1, more: later(1))
        try desk.sendAndAnswer(200)
        desk.pass(milliseconds: 10)
        desk.push("ab01", offset: 2, more: later(2))
        try desk.sendAndAnswer(410, "Unregistered")
        desk.settle()
        desk.push("ab01", offset: 3)
        #expect(desk.send() == nil)
    }

    @Test func `is not known better because a push to another device was accepted`() throws {
        let desk = try desk()
        desk.push("ab02", offset: 1)
        try desk.sendAndAnswer(200)
        desk.push("ab01", offset: 2)
        #expect(desk.send() == nil)
    }

    @Test func `gets no push that was queued when the response came`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push("ab01", offset: 0)
        desk.push("ab01", offset: 1)
        try desk.sendAndAnswer(410, "Unregistered")
        #expect(desk.settle().unregistered.count == 1)
        #expect(desk.send() == nil)
        let all = desk.settle()
        #expect(all.unregistered.isEmpty && all.outcomes.count == 1)
    }

    @Test(arguments: [false, true])
    func `gets no queued push, although Kafka has no result yet`(orderedByDevice: Bool) throws {
        let desk = try EngineDesk(orderedByDevice: orderedByDevice)
        desk.assign()
        desk.push("ab01", offset: 0)
        desk.push("ab01", offset: 1)
        try desk.sendAndAnswer(410, "Unregistered")
        #expect(desk.send() == nil)
        let published = desk.publish()
        #expect(published.outcomes.count == 2 && published.unregistered.count == 1)
        #expect(desk.send() == nil)
        desk.store(published)
        #expect(desk.next() == 2)
    }

    @Test func `has a record of each push in flight, as it may be the only one`() throws {
        let desk = try EngineDesk()
        let ids = [desk.assign(0), desk.assign(1)]
        for id in ids { desk.push("ab01", offset: 0, of: id) }
        let sent = desk.sendAll()
        desk.answer(sent[0], 410, "Unregistered")
        let first = desk.publish()
        desk.answer(sent[1], 410, "Unregistered")
        let second = desk.settle()
        #expect(first.unregistered.map(\.key) == second.unregistered.map(\.key))
        #expect(second.unregistered.count == 1)
        desk.engine.lost([ids[0]])
        #expect(desk.next(ids[1]) == 1)
    }

    @Test func `is reported again for a later event, after which the app was removed again`()
        throws
    {
        let desk = try desk()
        desk.pass(milliseconds: 10)
        desk.push("ab01", offset: 1, more: later(1))
        try desk.sendAndAnswer(410, "Unregistered")
        #expect(desk.settle().unregistered.count == 1)
    }

    @Test func `is reported for another push if the partition of the first is lost`() throws {
        let desk = try EngineDesk()
        let first = desk.assign(0)
        let second = desk.assign(1)
        desk.push("ab01", offset: 0, of: first)
        desk.push("ab01", offset: 0, of: second)
        let sent = desk.sendAll()
        desk.answer(sent[0], 410, "Unregistered")
        _ = desk.publish()
        desk.engine.lost([first])
        desk.answer(sent[1], 410, "Unregistered")
        #expect(desk.settle().unregistered.count == 1)
    }

    /// The unregistered record, the outcome or both are lost with the partition.
    @Test(arguments: [[], [ResultKinds.outcome], [.unregistered]])
    func `gets its push again if Kafka does not have all of the results`(
        stored: [ResultKinds]
    ) throws {
        let desk = try EngineDesk()
        let first = desk.assign()
        desk.push("ab01", offset: 0)
        try desk.sendAndAnswer(410, "Unregistered")
        let published = desk.publish()
        #expect(published.count == 2)
        desk.store(published.filter { stored.contains($0.ticket.kind) })
        desk.engine.lost([first])
        let second = desk.assign()
        desk.push("ab01", offset: 0, of: second)
        try desk.sendAndAnswer(410, "Unregistered")
        #expect(desk.settle().unregistered.count == 1)
    }

    @Test func `does not keep others from being sent to`() throws {
        let desk = try desk()
        desk.push("ab02", offset: 1)
        #expect(desk.send() != nil)
    }

    @Test func `is the same in upper case`() throws {
        let desk = try desk()
        desk.push("AB01", offset: 1)
        #expect(desk.send() == nil)
    }

    @Test func `is remembered for an app alone`() throws {
        let desk = try desk {
            var other = $0.apps[0]
            other.name = "pay"
            other.bundleID = "com.example.pay"
            $0.apps.append(other)
        }
        desk.push("ab01", offset: 1, more: #","bundle_id":"com.example.pay""#)
        #expect(desk.send() != nil)
    }

    @Test func `keeps a push that may have arrived from being called dropped`() throws {
        let desk = try EngineDesk { $0.inDoubt = .resend }
        desk.assign()
        desk.push("ab01", offset: 0)
        desk.push("ab01", offset: 1)
        let inDoubt = try #require(desk.send())
        try desk.sendAndAnswer(410, "Unregistered")
        desk.settle()
        desk.engine.inDoubt(inDoubt, reason: "timeout")
        desk.pass(milliseconds: 60_000)
        #expect(desk.send() != nil)
    }

    @Test func `is forgotten after the configured time`() throws {
        let desk = try desk { $0.rememberUnregistered = .seconds(60) }
        desk.pass(milliseconds: 59_999)
        desk.push("ab01", offset: 1)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 1)
        desk.push("ab01", offset: 2)
        #expect(desk.send() != nil)
    }

    @Test func `is not remembered if the connector says so`() throws {
        let desk = try desk { $0.rememberUnregistered = .zero }
        desk.push("ab01", offset: 1)
        #expect(desk.send() != nil)
    }

    @Test func `is not remembered while the guard withholds the verdict`() throws {
        let desk = try EngineDesk { $0.invalidation = .init(share: 0.5, minimum: 1) }
        desk.assign()
        desk.push("ab01", offset: 0)
        try desk.sendAndAnswer(410, "Unregistered")
        #expect(desk.publish().isEmpty)
        #expect(desk.engine.devices.value.unregisteredCount == 0)
        desk.engine.releaseGuards()
        #expect(desk.settle().count == 2)
        #expect(desk.engine.devices.value.unregisteredCount == 1)
    }

    @Test func `is remembered from its response on even if the verdict was withheld`() throws {
        let desk = try EngineDesk { $0.invalidation = .init(share: 0.5, minimum: 1) }
        desk.assign()
        desk.push("ab01", offset: 0)
        try desk.sendAndAnswer(410, "Unregistered")
        desk.pass(milliseconds: 10_000)
        desk.engine.releaseGuards()
        desk.settle()
        desk.push("ab01", offset: 1, more: later(1))
        #expect(desk.send() != nil)
    }

    @Test func `gets events after the response even if the clock was ahead at that time`() throws {
        let desk = try desk()
        // The clock is set back by two hours; one minute later the app registers again.
        let wallClock = desk.engine.wallClock - 7_200_000 + 60_000
        desk.engine.setTime(desk.engine.now + .seconds(60), wallClock: wallClock)
        desk.push("ab01", offset: 1, more: #","event_time":\#(wallClock - 1000)"#)
        #expect(desk.send() != nil)
    }

    @Test func `lets the next push of its ordering key follow`() throws {
        let desk = try EngineDesk(orderedByDevice: true)
        desk.assign()
        for offset in 0..<3 { desk.push("ab01", offset: Int64(offset)) }
        try desk.sendAndAnswer(410, "Unregistered")
        #expect(desk.settle().outcomes.count == 1)
        #expect(desk.send() == nil)
        #expect(desk.settle().outcomes.count == 2)
        #expect(desk.next() == 3)
    }
}

@Suite struct `The memory of unregistered devices` {
    private func device(_ number: Int) -> UnregisteredDevices.Device {
        var hash = TextHash()
        unsafe hash.add([UInt8]("device-\(number)".utf8).span.bytes)
        return .init(place: hash.value, check: ~hash.value)
    }

    private func moment(_ seconds: UInt64) -> Instant { Instant(nanoseconds: seconds << 30) }

    @Test func `does not confuse devices with the same first half of a hash`() {
        var memory = UnregisteredDevices()
        memory.insert(.init(place: 7, check: 1), respondedAt: moment(1))
        memory.insert(.init(place: 7, check: 2), respondedAt: moment(2))
        #expect(memory.respondedAt(7) { 1 } == moment(1))
        #expect(memory.respondedAt(7) { 2 } == moment(2))
        #expect(memory.respondedAt(7) { 3 } == nil)
    }

    @Test func `keeps nearly all that it has while it grows`() {
        var memory = UnregisteredDevices()
        for number in 0..<10_000 { memory.insert(device(number), respondedAt: moment(9)) }
        let found = (0..<10_000).count { number in
            memory.respondedAt(device(number).place) { device(number).check } != nil
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
        #expect(memory.respondedAt(device(999).place) { device(999).check } == moment(1000))
        #expect(memory.respondedAt(device(0).place) { device(0).check } == nil)
    }

    @Test func `occupies at most 32 MB`() {
        #expect(UnregisteredDevices.maxCount * 24 <= 32_000_000)
        var memory = UnregisteredDevices()
        #expect(memory.byteCount == 0)
        memory.insert(device(1), respondedAt: moment(1))
        #expect(memory.byteCount == 64 * 24)
    }
}
