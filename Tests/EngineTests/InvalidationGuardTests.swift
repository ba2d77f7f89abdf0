import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `The guard against mass invalidation` {
    private static let second = Duration.seconds(1)
    private var now: Instant = 1_000_000_000_000
    private var watch = InvalidationGuard(GuardSettings(share: 0.2, minimum: 100))

    /// Responses one after the other, of which one in so many is bad; what they have changed.
    private mutating func answer(_ count: Int, badEvery: Int) -> [InvalidationGuard.Change] {
        var changes: [InvalidationGuard.Change] = []
        for number in 1...count {
            let change = watch.responded(
                isBad: number.isMultiple(of: badEvery), isProbe: false, now: now)
            if change != .nothing { changes.append(change) }
        }
        return changes
    }

    /// Sends a whole probe, and lets so many of its tokens be bad.
    private mutating func probe(bad: Int) -> InvalidationGuard.Change {
        var change = InvalidationGuard.Change.nothing
        var sent = 0
        while watch.allowsSending(now: now), sent < 100 {
            _ = watch.sent()
            sent += 1
        }
        #expect(sent == 20)
        for number in 0..<sent {
            change = watch.responded(isBad: number < bad, isProbe: true, now: now)
        }
        return change
    }

    @Test mutating func `engages when every third token is unregistered`() {
        let changes = answer(300, badEvery: 3)
        #expect(changes == [.engaged(.init(all: 102, bad: 34))])
        #expect(watch.isEngaged && !watch.allowsSending(now: now))
    }

    @Test mutating func `does not engage at the usual share`() {
        let changes = answer(100_000, badEvery: 5)
        #expect(changes == [] && watch.allowsSending(now: now))
    }

    @Test mutating func `does not judge by too few responses`() {
        let changes = answer(99, badEvery: 1)
        #expect(changes == [])
    }

    @Test mutating func `forgets responses that are older than its window`() {
        for _ in 0..<10 {
            let changes = answer(60, badEvery: 1)
            #expect(changes == [])
            now += 60 * Self.second
        }
        let changes = answer(60, badEvery: 1) + answer(60, badEvery: 1)
        #expect(changes == [.engaged(.init(all: 100, bad: 100))])
    }

    @Test mutating func `is off with a share of 1`() {
        watch = InvalidationGuard(GuardSettings(share: 1, minimum: 1))
        let changes = answer(10_000, badEvery: 1)
        #expect(changes == [])
    }

    @Test mutating func `is released when a probe of 20 tokens succeeds`() {
        _ = answer(300, badEvery: 1)
        #expect(watch.deadline(now: now) == now + 30 * Self.second)
        let since = now
        now += 30 * Self.second
        let change = probe(bad: 3)
        #expect(change == .released(since: since) && !watch.isEngaged)
    }

    @Test mutating func `probes more and more slowly while probes fail`() {
        _ = answer(300, badEvery: 1)
        var waits: [Int64] = []
        for _ in 0..<7 {
            let due = watch.deadline(now: now) ?? 0
            waits.append((due - now).wholeSeconds)
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

    @Test mutating func `does not count responses to what was sent before as a probe`() {
        _ = answer(300, badEvery: 1)
        let changes = answer(100, badEvery: 1000)
        #expect(changes == [] && watch.isEngaged)
    }

    @Test mutating func `believes an operator until the share was usual once`() {
        _ = answer(300, badEvery: 1)
        let since = watch.release()
        #expect(since == now)
        var changes = answer(1000, badEvery: 1)
        #expect(changes == [])
        now += 120 * Self.second
        changes = answer(1000, badEvery: 100)
        #expect(changes == [])
        now += 120 * Self.second
        changes = answer(1000, badEvery: 1)
        #expect(changes == [.engaged(.init(all: 100, bad: 100))])
    }

    @Test mutating func `cannot be released while it is not engaged`() {
        let since = watch.release()
        let changes = answer(300, badEvery: 1)
        #expect(since == nil && changes.count == 1)
    }
}
