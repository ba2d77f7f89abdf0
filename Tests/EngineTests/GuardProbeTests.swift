import Configuration
import Delivery
import Testing

@testable import Engine

/// A harness whose guard is engaged, with only withheld pushes left to probe with.
private func withholding(
    _ records: Int, tweak: (inout EngineSettings) -> Void = { _ in }
) throws -> EngineHarness {
    let harness = try EngineHarness {
        $0.invalidation = GuardSettings(share: 0.5, minimum: 10)
        tweak(&$0)
    }
    harness.assign()
    for offset in 0..<records { harness.push("ab\(10 + offset)", offset: Int64(offset)) }
    for push in harness.sendAll() { harness.respond(push, 410, "Unregistered") }
    #expect(harness.publish().isEmpty)
    return harness
}

@Suite struct `A guard that withholds every open push` {
    @Test func `wakes for its probe, and resends 20 of the withheld pushes`() throws {
        let harness = try withholding(30)
        #expect(harness.nextDeadline ?? .distantFuture <= harness.engine.now + .milliseconds(30000))
        harness.pass(milliseconds: 29_000)
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 1000)
        #expect(harness.sendAll().map(harness.offset) == Array(0..<20))
    }

    @Test func `is released when APNs accepts them, and unregisters none of their tokens`() throws {
        let harness = try withholding(30)
        harness.pass(milliseconds: 30_000)
        for push in harness.sendAll() { harness.respond(push, 200) }
        let all = harness.settle()
        #expect(all.outcomes.count == 30 && all.unregistered.count == 10)
        #expect(harness.engine.counters.accepted == 20 && harness.engine.counters.rejected == 10)
        #expect(harness.next() == 30)
    }

    @Test func `withholds them again, and waits longer, if APNs rejects them again`() throws {
        let harness = try withholding(30)
        harness.pass(milliseconds: 30_000)
        for push in harness.sendAll() { harness.respond(push, 410, "Unregistered") }
        #expect(harness.publish().isEmpty && harness.send() == nil)
        #expect(harness.engine.counters.rejected == 30)
        harness.pass(milliseconds: 60_000)
        #expect(harness.sendAll().count == 20)
    }

    @Test func `sends each of them once per probe`() throws {
        let harness = try withholding(12)
        harness.pass(milliseconds: 30_000)
        for push in harness.sendAll() { harness.respond(push, 410, "Unregistered") }
        #expect(harness.publish().isEmpty)
        harness.pass(milliseconds: 600_000)
        #expect(harness.send() == nil)
        for offset in 12..<30 { harness.push("cd\(offset)", offset: Int64(offset)) }
        #expect(harness.sendAll().count == 8)
    }

    @Test func `probes with unsent pushes first`() throws {
        let harness = try withholding(12)
        for offset in 12..<20 { harness.push("cd\(offset)", offset: Int64(offset)) }
        harness.pass(milliseconds: 30_000)
        #expect(harness.sendAll().map(harness.offset) == Array(12..<20))
        harness.pass(milliseconds: 1)
        #expect(harness.sendAll().map(harness.offset) == Array(0..<12))
    }

    @Test func `does not resend a push whose successor was sent`() throws {
        let harness = try EngineHarness(orderedByDevice: true) {
            $0.invalidation = GuardSettings(share: 0.5, minimum: 10)
        }
        harness.assign()
        for offset in 0..<10 { harness.push("ab\(10 + offset)", offset: Int64(offset)) }
        harness.push("ab10", offset: 10)
        for push in harness.sendAll() { harness.respond(push, 410, "Unregistered") }
        #expect(harness.publish().isEmpty)
        harness.pass(milliseconds: 30_000)
        // The successor for that device, and then all others but its predecessor.
        #expect(harness.sendAll().map(harness.offset) == [10])
        harness.pass(milliseconds: 1)
        #expect(harness.sendAll().map(harness.offset) == Array(1..<10))
    }

    @Test func `lets successors wait for a push that it resends`() throws {
        let harness = try withholding(10) { $0.ordering = .device }
        harness.pass(milliseconds: 30_000)
        let probes = harness.sendAll()
        #expect(probes.count == 10)
        harness.push("ab10", offset: 10)
        #expect(harness.send() == nil)
        harness.respond(probes[0], 410, "Unregistered")
        #expect(harness.sendAll().map(harness.offset) == [10])
    }

    @Test func `leaves its probes to the next start when the worker drains`() throws {
        let harness = try withholding(10)
        harness.pass(milliseconds: 30_000)
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        #expect(harness.openRecords == 0)
        #expect(harness.next() == 0)
    }

    @Test func `does not resend pushes that have expired since`() throws {
        let soon = EngineHarness.start / 1000 + 20
        let harness = try EngineHarness { $0.invalidation = GuardSettings(share: 0.5, minimum: 10) }
        harness.assign()
        for offset in 0..<10 {
            harness.push(
                "ab\(10 + offset)", offset: Int64(offset), more: #","expiration":\#(soon)"#)
        }
        for push in harness.sendAll() { harness.respond(push, 410, "Unregistered") }
        #expect(harness.publish().isEmpty)
        harness.pass(milliseconds: 30_000)
        #expect(harness.send() == nil)
        harness.engine.releaseGuards()
        #expect(harness.settle().unregistered.count == 10)
    }
}
