import Configuration
import Testing

@testable import Bridge

@Suite struct `The guard against mass invalidation` {
    private static let second: UInt64 = 1_000_000_000
    private var now = 1000 * second
    private var watch = MassInvalidationGuard(GuardSettings(share: 0.2, minimum: 100))

    /// Answers one after the other, of which every so-manieth is bad; what they have changed.
    private mutating func answer(_ count: Int, badEvery: Int) -> [MassInvalidationGuard.Change] {
        var changes: [MassInvalidationGuard.Change] = []
        for number in 1...count {
            let change = watch.answered(
                isBad: number.isMultiple(of: badEvery), isProbe: false, now: now)
            if change != .nothing { changes.append(change) }
        }
        return changes
    }

    /// Sends a whole probe, and lets so many of its tokens be bad.
    private mutating func probe(bad: Int) -> MassInvalidationGuard.Change {
        var change = MassInvalidationGuard.Change.nothing
        var sent = 0
        while watch.allowsSending(now: now), sent < 100 {
            _ = watch.sent()
            sent += 1
        }
        #expect(sent == 20)
        for number in 0..<sent {
            change = watch.answered(isBad: number < bad, isProbe: true, now: now)
        }
        return change
    }

    @Test mutating func `holds the line when every third token is dead`() {
        let changes = answer(300, badEvery: 3)
        #expect(changes == [.held(.init(all: 102, bad: 34))])
        #expect(watch.isHolding && !watch.allowsSending(now: now))
    }

    @Test mutating func `lets pass what is usual`() {
        let changes = answer(100_000, badEvery: 5)
        #expect(changes == [] && watch.allowsSending(now: now))
    }

    @Test mutating func `says nothing of too few answers`() {
        let changes = answer(99, badEvery: 1)
        #expect(changes == [])
    }

    @Test mutating func `forgets answers that are older than its window`() {
        for _ in 0..<10 {
            let changes = answer(60, badEvery: 1)
            #expect(changes == [])
            now += 60 * Self.second
        }
        let changes = answer(60, badEvery: 1) + answer(60, badEvery: 1)
        #expect(changes == [.held(.init(all: 100, bad: 100))])
    }

    @Test mutating func `is off with a share of 1`() {
        watch = MassInvalidationGuard(GuardSettings(share: 1, minimum: 1))
        let changes = answer(10_000, badEvery: 1)
        #expect(changes == [])
    }

    @Test mutating func `lets go when a probe of 20 tokens comes out well`() {
        _ = answer(300, badEvery: 1)
        #expect(watch.deadline(now: now) == now + 30 * Self.second)
        let since = now
        now += 30 * Self.second
        let change = probe(bad: 3)
        #expect(change == .released(since: since) && !watch.isHolding)
    }

    @Test mutating func `probes more and more slowly while probes come out badly`() {
        _ = answer(300, badEvery: 1)
        var waits: [UInt64] = []
        for _ in 0..<7 {
            let due = watch.deadline(now: now) ?? 0
            waits.append((due - now) / Self.second)
            now = due
            let change = probe(bad: 4)
            #expect(change == .nothing)
        }
        #expect(waits == [30, 60, 120, 240, 480, 600, 600])
    }

    @Test mutating func `sends another token for a probe that says nothing`() {
        _ = answer(300, badEvery: 1)
        now += 30 * Self.second
        for _ in 0..<20 { _ = watch.sent() }
        #expect(!watch.allowsSending(now: now))
        watch.probeLearnedNothing()
        #expect(watch.allowsSending(now: now))
    }

    @Test mutating func `does not count answers to what was sent before as a probe`() {
        _ = answer(300, badEvery: 1)
        let changes = answer(100, badEvery: 1000)
        #expect(changes == [] && watch.isHolding)
    }

    @Test mutating func `believes an operator until the share was usual once`() {
        _ = answer(300, badEvery: 1)
        let since = watch.overrule()
        #expect(since == now)
        var changes = answer(1000, badEvery: 1)
        #expect(changes == [])
        now += 120 * Self.second
        changes = answer(1000, badEvery: 100)
        #expect(changes == [])
        now += 120 * Self.second
        changes = answer(1000, badEvery: 1)
        #expect(changes == [.held(.init(all: 100, bad: 100))])
    }

    @Test mutating func `has nothing to be overruled while it holds nothing`() {
        let since = watch.overrule()
        let changes = answer(300, badEvery: 1)
        #expect(since == nil && changes.count == 1)
    }
}
