import Delivery
import Testing

@testable import Engine

@Suite struct `A circuit breaker` {
    private static let second = Duration.seconds(1)
    private let start: Instant = 100_000_000_000

    private func opened() -> CircuitBreaker {
        var breaker = CircuitBreaker()
        _ = breaker.refused(1, now: start)
        return breaker
    }

    @Test func `allows sending while nothing is rejected`() {
        var breaker = CircuitBreaker()
        breaker.sent(1)
        breaker.sent(2)
        #expect(breaker.allowsSending(now: 0))
        #expect(breaker.deadline(now: 0) == nil)
    }

    @Test func `opens once, however many rejections follow`() {
        var breaker = CircuitBreaker()
        let opened = (0..<3 as Range<UInt64>).map {
            breaker.refused(PushID(rawValue: $0), now: start + .nanoseconds(Int64($0)))
        }
        #expect(opened == [true, false, false])
        #expect(breaker.deadline(now: start) == start + Self.second)
    }

    @Test func `is closed by its probe, not by a push sent before it opened`() {
        var breaker = opened()
        let early = breaker.proven(by: 2, now: start)
        #expect(early == nil && breaker.isOpen)
        breaker.sent(3)
        let since = breaker.proven(by: 3, now: start + Self.second)
        #expect(since == start && !breaker.isOpen)
    }

    @Test func `opens if APNs rejects a whole connection`() {
        var breaker = CircuitBreaker()
        let isNew = breaker.refused(nil, now: start)
        #expect(isNew && !breaker.allowsSending(now: start))
    }

    @Test func `probes again a second after an inconclusive probe, however slow that was`() {
        var breaker = opened()
        for wait in [2, 4, 8, 10, 10] {
            let due = breaker.deadline(now: start) ?? 0
            breaker.sent(3)
            breaker.learnedNothing(from: 3, now: due + 5 * Self.second)
            #expect(breaker.deadline(now: start) == due + 6 * Self.second)
            breaker.sent(4)
            _ = breaker.refused(4, now: due + 6 * Self.second)
            #expect(breaker.deadline(now: start) == due + (6 + wait) * Self.second)
        }
    }

    @Test func `allows one probe at a time`() {
        var breaker = opened()
        let due = start + Self.second
        #expect(!breaker.allowsSending(now: due - .nanoseconds(1)))
        #expect(breaker.allowsSending(now: due))
        breaker.sent(3)
        #expect(!breaker.allowsSending(now: due + 100 * Self.second))
        #expect(breaker.deadline(now: due) == nil)
    }

    @Test func `waits longer each time it reopens soon`() {
        var breaker = CircuitBreaker()
        var now = start
        var waits: [Int64] = []
        for _ in 0..<8 {
            _ = breaker.refused(1, now: now)
            let due = breaker.deadline(now: now) ?? 0
            waits.append((due - now).wholeSeconds)
            breaker.sent(2)
            _ = breaker.proven(by: 2, now: due)
            now = due + Self.second
        }
        #expect(waits == [1, 2, 4, 8, 10, 10, 10, 10])
        _ = breaker.refused(1, now: now + 60 * Self.second)
        #expect(breaker.deadline(now: 0) == now + 61 * Self.second)
    }

    @Test func `probes within ten seconds after the fault is fixed`() {
        for fixed in 1...3600 {
            var breaker = opened()
            var probe = breaker.deadline(now: start) ?? 0
            while probe < start + fixed * Self.second {
                breaker.sent(2)
                _ = breaker.refused(2, now: probe)
                probe = breaker.deadline(now: probe) ?? .distantFuture
            }
            #expect(probe - (start + fixed * Self.second) <= 10 * Self.second)
        }
    }

    @Test func `probes soon after the credential is replaced`() {
        var breaker = opened()
        for _ in 0..<10 {
            let due = breaker.deadline(now: start) ?? 0
            breaker.sent(2)
            _ = breaker.refused(2, now: due)
        }
        let now = (breaker.deadline(now: start) ?? 0) - (9 * Self.second)
        breaker.startAnew(now: now)
        #expect(breaker.deadline(now: now) == now + Self.second)
        breaker.sent(3)
        _ = breaker.refused(3, now: now + Self.second)
        #expect(breaker.deadline(now: now) == now + 3 * Self.second)
    }

    @Test func `is not opened by a replacement, and still allows one probe at a time`() {
        var breaker = CircuitBreaker()
        breaker.startAnew(now: start)
        #expect(!breaker.isOpen && breaker.allowsSending(now: start))
        _ = breaker.refused(1, now: start)
        breaker.sent(2)
        breaker.startAnew(now: start + 5 * Self.second)
        #expect(!breaker.allowsSending(now: start + 100 * Self.second))
    }
}
