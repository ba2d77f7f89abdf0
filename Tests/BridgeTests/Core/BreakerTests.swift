import Testing

@testable import Bridge

@Suite struct `A breaker` {
    private static let second: UInt64 = 1_000_000_000
    private let start: UInt64 = 100 * second

    private func opened() -> Breaker {
        var breaker = Breaker()
        _ = breaker.refused(1, now: start)
        return breaker
    }

    @Test func `lets everything pass while nothing is refused`() {
        var breaker = Breaker()
        breaker.sent(1)
        breaker.sent(2)
        #expect(breaker.allowsSending(now: 0))
        #expect(breaker.deadline(now: 0) == nil)
    }

    @Test func `opens once, however many refusals come after the first`() {
        var breaker = Breaker()
        let opened = (0..<3).map { breaker.refused($0, now: start + UInt64($0)) }
        #expect(opened == [true, false, false])
        #expect(breaker.deadline(now: start) == start + Self.second)
    }

    @Test func `is closed by its probe, not by what was sent before it opened`() {
        var breaker = opened()
        let early = breaker.proven(by: 2, now: start)
        #expect(early == nil && breaker.isOpen)
        breaker.sent(3)
        let since = breaker.proven(by: 3, now: start + Self.second)
        #expect(since == start && !breaker.isOpen)
    }

    @Test func `opens for a whole connection, too`() {
        var breaker = Breaker()
        let isNew = breaker.refused(nil, now: start)
        #expect(isNew && !breaker.allowsSending(now: start))
    }

    @Test func `asks again after a second when a probe says nothing, however slow it is`() {
        var breaker = opened()
        for wait in [2, 4, 8, 10, 10] as [UInt64] {
            let due = breaker.deadline(now: start) ?? 0
            breaker.sent(3)
            breaker.learnedNothing(from: 3, now: due + 5 * Self.second)
            #expect(breaker.deadline(now: start) == due + 6 * Self.second)
            breaker.sent(4)
            _ = breaker.refused(4, now: due + 6 * Self.second)
            #expect(breaker.deadline(now: start) == due + (6 + wait) * Self.second)
        }
    }

    @Test func `has one probe at a time`() {
        var breaker = opened()
        let due = start + Self.second
        #expect(!breaker.allowsSending(now: due - 1))
        #expect(breaker.allowsSending(now: due))
        breaker.sent(3)
        #expect(!breaker.allowsSending(now: due + 100 * Self.second))
        #expect(breaker.deadline(now: due) == nil)
    }

    @Test func `waits longer each time when it opens again soon`() {
        var breaker = Breaker()
        var now = start
        var waits: [UInt64] = []
        for _ in 0..<8 {
            _ = breaker.refused(1, now: now)
            let due = breaker.deadline(now: now) ?? 0
            waits.append((due - now) / Self.second)
            breaker.sent(2)
            _ = breaker.proven(by: 2, now: due)
            now = due + Self.second
        }
        #expect(waits == [1, 2, 4, 8, 10, 10, 10, 10])
        _ = breaker.refused(1, now: now + 60 * Self.second)
        #expect(breaker.deadline(now: 0) == now + 61 * Self.second)
    }

    @Test func `is probed within ten seconds of the moment when the fault is mended`() {
        for mended in 1...3600 as ClosedRange<UInt64> {
            var breaker = opened()
            var probe = breaker.deadline(now: start) ?? 0
            while probe < start + mended * Self.second {
                breaker.sent(2)
                _ = breaker.refused(2, now: probe)
                probe = breaker.deadline(now: probe) ?? .max
            }
            #expect(probe - (start + mended * Self.second) <= 10 * Self.second)
        }
    }

    @Test func `is probed soon when what was refused is replaced`() {
        var breaker = opened()
        for _ in 0..<10 {
            let due = breaker.deadline(now: start) ?? 0
            breaker.sent(2)
            _ = breaker.refused(2, now: due)
        }
        let now = (breaker.deadline(now: start) ?? 0) - 9 * Self.second
        breaker.startAnew(now: now)
        #expect(breaker.deadline(now: now) == now + Self.second)
        breaker.sent(3)
        _ = breaker.refused(3, now: now + Self.second)
        #expect(breaker.deadline(now: now) == now + 3 * Self.second)
    }

    @Test func `is not opened by a replacement, nor probed twice at a time`() {
        var breaker = Breaker()
        breaker.startAnew(now: start)
        #expect(!breaker.isOpen && breaker.allowsSending(now: start))
        _ = breaker.refused(1, now: start)
        breaker.sent(2)
        breaker.startAnew(now: start + 5 * Self.second)
        #expect(!breaker.allowsSending(now: start + 100 * Self.second))
    }
}
