import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `The mass-invalidation guard` {
    private static let second = Duration.seconds(1)
    private var now: Instant = 1_000_000_000_000
    private var tokenGuard = InvalidationGuard(GuardSettings(share: 0.2, minimum: 100))

    private var lastToken: UInt64 = 0

    /// Passes responses about different tokens, one in so many of them bad; returns the changes.
    private mutating func respond(_ count: Int, badEvery: Int) -> [InvalidationGuard.Change] {
        var changes: [InvalidationGuard.Change] = []
        for number in 1...count {
            lastToken += 1
            let change = tokenGuard.responded(
                lastToken, isBad: number.isMultiple(of: badEvery), isProbe: false, now: now)
            if change != .nothing { changes.append(change) }
        }
        return changes
    }

    /// Sends a whole probe, with so many bad tokens; returns the last change.
    private mutating func probe(bad: Int) -> InvalidationGuard.Change {
        var change = InvalidationGuard.Change.nothing
        var sent = 0
        while tokenGuard.allowsSending(now: now), sent < 100 {
            _ = tokenGuard.sent()
            sent += 1
        }
        #expect(sent == 20)
        for number in 0..<sent {
            change = tokenGuard.responded(
                UInt64(number), isBad: number < bad, isProbe: true, now: now)
        }
        return change
    }

    @Test mutating func `engages when every third token is unregistered`() {
        let changes = respond(300, badEvery: 3)
        #expect(changes == [.engaged(.init(all: 102, bad: 34))])
        #expect(tokenGuard.isEngaged && !tokenGuard.allowsSending(now: now))
    }

    @Test mutating func `does not engage at a normal share`() {
        let changes = respond(100_000, badEvery: 5)
        #expect(changes == [] && tokenGuard.allowsSending(now: now))
    }

    @Test mutating func `does not engage on too few responses`() {
        let changes = respond(39, badEvery: 1)
        #expect(changes == [])
    }

    @Test mutating func `forgets responses older than its window`() {
        for _ in 0..<10 {
            let changes = respond(60, badEvery: 3)
            #expect(changes == [])
            now += 60 * Self.second
        }
        let changes = respond(60, badEvery: 3) + respond(60, badEvery: 3)
        #expect(changes == [.engaged(.init(all: 102, bad: 34))])
    }

    @Test mutating func `never engages with a share of 1`() {
        tokenGuard = InvalidationGuard(GuardSettings(share: 1, minimum: 1))
        let changes = respond(10_000, badEvery: 1)
        #expect(changes == [])
    }

    @Test mutating func `is released when a probe of 20 tokens succeeds`() {
        _ = respond(300, badEvery: 1)
        #expect(tokenGuard.deadline(now: now) == now + 30 * Self.second)
        let since = now
        now += 30 * Self.second
        let change = probe(bad: 3)
        #expect(change == .released(since: since) && !tokenGuard.isEngaged)
    }

    @Test mutating func `probes at growing intervals while probes fail`() {
        _ = respond(300, badEvery: 1)
        var waits: [Int64] = []
        for _ in 0..<7 {
            let due = tokenGuard.deadline(now: now) ?? 0
            waits.append((due - now).wholeSeconds)
            now = due
            let change = probe(bad: 4)
            #expect(change == .nothing)
        }
        #expect(waits == [30, 60, 120, 240, 480, 600, 600])
    }

    @Test mutating func `sends another push for an inconclusive probe`() {
        _ = respond(300, badEvery: 1)
        now += 30 * Self.second
        for _ in 0..<20 { _ = tokenGuard.sent() }
        #expect(!tokenGuard.allowsSending(now: now))
        tokenGuard.probeLearnedNothing()
        #expect(tokenGuard.allowsSending(now: now))
    }

    @Test mutating func `does not count responses to earlier pushes as probes`() {
        _ = respond(300, badEvery: 1)
        let changes = respond(100, badEvery: 1000)
        #expect(changes == [] && tokenGuard.isEngaged)
    }

    @Test mutating func `stays released by an operator until the share was normal once`() {
        _ = respond(300, badEvery: 1)
        let since = tokenGuard.release()
        #expect(since == now)
        var changes = respond(1000, badEvery: 1)
        #expect(changes == [])
        now += 120 * Self.second
        changes = respond(1000, badEvery: 100)
        #expect(changes == [])
        now += 120 * Self.second
        changes = respond(1000, badEvery: 1)
        #expect(changes == [.engaged(.init(all: 40, bad: 21))])
    }

    @Test mutating func `counts a token once, however often it is pushed to`() {
        _ = respond(80, badEvery: 1000)
        for _ in 0..<1000 {
            for token in 1_000_000..<1_000_019 as Range<UInt64> {
                let change = tokenGuard.responded(token, isBad: true, isProbe: false, now: now)
                #expect(change == .nothing)
            }
        }
        // 19 of 99, and then 21 of 101.
        let change = tokenGuard.responded(2_000_000, isBad: true, isProbe: false, now: now)
        #expect(change == .nothing)
        let last = tokenGuard.responded(2_000_001, isBad: true, isProbe: false, now: now)
        #expect(last == .engaged(.init(all: 101, bad: 21)))
    }

    @Test mutating func `takes the last response about a token`() {
        _ = respond(90, badEvery: 1000)
        for token in 1...60 as ClosedRange<UInt64> {
            _ = tokenGuard.responded(token, isBad: token < 20, isProbe: false, now: now)
            _ = tokenGuard.responded(token, isBad: false, isProbe: false, now: now)
        }
        let changes = respond(100, badEvery: 1000)
        #expect(changes == [])
    }

    @Test mutating func `engages at a low rate when most of the last 40 tokens are bad`() {
        var changes: [InvalidationGuard.Change] = []
        for number in 1...60 {
            now += 300 * Self.second
            changes += respond(1, badEvery: number <= 30 ? 1000 : 1)
        }
        #expect(changes == [.engaged(.init(all: 40, bad: 21))])
    }

    @Test mutating func `does not engage at a low rate because a third of the tokens is bad`() {
        var changes: [InvalidationGuard.Change] = []
        for number in 1...600 {
            now += 300 * Self.second
            changes += respond(1, badEvery: number.isMultiple(of: 3) ? 1 : 1000)
        }
        #expect(changes == [])
    }

    @Test mutating func `cannot be released while it is not engaged`() {
        let since = tokenGuard.release()
        let changes = respond(300, badEvery: 1)
        #expect(since == nil && changes.count == 1)
    }
}
