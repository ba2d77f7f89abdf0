import Configuration
import Delivery
import Testing

@testable import Engine

/// A desk whose guard is engaged, with only withheld pushes left to probe with.
private func withholding(
    _ records: Int, tweak: (inout EngineSettings) -> Void = { _ in }
) throws -> EngineDesk {
    let desk = try EngineDesk {
        $0.invalidation = GuardSettings(share: 0.5, minimum: 10)
        tweak(&$0)
    }
    desk.assign()
    for offset in 0..<records { desk.push("ab\(10 + offset)", offset: Int64(offset)) }
    for push in desk.sendAll() { desk.answer(push, 410, "Unregistered") }
    #expect(desk.publish().isEmpty)
    return desk
}

@Suite struct `A guard that withholds every open push` {
    @Test func `wakes for its probe, and resends 20 of the withheld pushes`() throws {
        let desk = try withholding(30)
        #expect(desk.nextDeadline ?? .distantFuture <= desk.engine.now + .milliseconds(30000))
        desk.pass(milliseconds: 29_000)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 1000)
        #expect(desk.sendAll().map(desk.offset) == Array(0..<20))
    }

    @Test func `is released when APNs accepts them, and unregisters none of their tokens`() throws {
        let desk = try withholding(30)
        desk.pass(milliseconds: 30_000)
        for push in desk.sendAll() { desk.answer(push, 200) }
        let all = desk.settle()
        #expect(all.outcomes.count == 30 && all.unregistered.count == 10)
        #expect(desk.engine.counters.accepted == 20 && desk.engine.counters.rejected == 10)
        #expect(desk.next() == 30)
    }

    @Test func `withholds them again, and waits longer, if APNs rejects them again`() throws {
        let desk = try withholding(30)
        desk.pass(milliseconds: 30_000)
        for push in desk.sendAll() { desk.answer(push, 410, "Unregistered") }
        #expect(desk.publish().isEmpty && desk.send() == nil)
        #expect(desk.engine.counters.rejected == 30)
        desk.pass(milliseconds: 60_000)
        #expect(desk.sendAll().count == 20)
    }

    @Test func `sends each of them once per probe`() throws {
        let desk = try withholding(12)
        desk.pass(milliseconds: 30_000)
        for push in desk.sendAll() { desk.answer(push, 410, "Unregistered") }
        #expect(desk.publish().isEmpty)
        desk.pass(milliseconds: 600_000)
        #expect(desk.send() == nil)
        for offset in 12..<30 { desk.push("cd\(offset)", offset: Int64(offset)) }
        #expect(desk.sendAll().count == 8)
    }

    @Test func `probes with unsent pushes first`() throws {
        let desk = try withholding(12)
        for offset in 12..<20 { desk.push("cd\(offset)", offset: Int64(offset)) }
        desk.pass(milliseconds: 30_000)
        #expect(desk.sendAll().map(desk.offset) == Array(12..<20))
        desk.pass(milliseconds: 1)
        #expect(desk.sendAll().map(desk.offset) == Array(0..<12))
    }

    @Test func `does not resend a push whose successor was sent`() throws {
        let desk = try EngineDesk(orderedByDevice: true) {
            $0.invalidation = GuardSettings(share: 0.5, minimum: 10)
        }
        desk.assign()
        for offset in 0..<10 { desk.push("ab\(10 + offset)", offset: Int64(offset)) }
        desk.push("ab10", offset: 10)
        for push in desk.sendAll() { desk.answer(push, 410, "Unregistered") }
        #expect(desk.publish().isEmpty)
        desk.pass(milliseconds: 30_000)
        // The successor for that device, and then all others but its predecessor.
        #expect(desk.sendAll().map(desk.offset) == [10])
        desk.pass(milliseconds: 1)
        #expect(desk.sendAll().map(desk.offset) == Array(1..<10))
    }

    @Test func `lets successors wait for a push that it resends`() throws {
        let desk = try withholding(10) { $0.ordering = .device }
        desk.pass(milliseconds: 30_000)
        let probes = desk.sendAll()
        #expect(probes.count == 10)
        desk.push("ab10", offset: 10)
        #expect(desk.send() == nil)
        desk.answer(probes[0], 410, "Unregistered")
        #expect(desk.sendAll().map(desk.offset) == [10])
    }

    @Test func `leaves its probes to the next start when the worker drains`() throws {
        let desk = try withholding(10)
        desk.pass(milliseconds: 30_000)
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        #expect(desk.openRecords == 0)
        #expect(desk.next() == 0)
    }

    @Test func `does not resend pushes that have expired since`() throws {
        let soon = EngineDesk.start / 1000 + 20
        let desk = try EngineDesk { $0.invalidation = GuardSettings(share: 0.5, minimum: 10) }
        desk.assign()
        for offset in 0..<10 {
            desk.push(
                "ab\(10 + offset)", offset: Int64(offset), more: #","expiration":\#(soon)"#)
        }
        for push in desk.sendAll() { desk.answer(push, 410, "Unregistered") }
        #expect(desk.publish().isEmpty)
        desk.pass(milliseconds: 30_000)
        #expect(desk.send() == nil)
        desk.engine.releaseGuards()
        #expect(desk.settle().unregistered.count == 10)
    }
}
