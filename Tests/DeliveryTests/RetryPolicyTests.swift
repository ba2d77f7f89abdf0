import Delivery
import Testing

@Suite struct `A retry policy` {
    @Test func `never waits longer than its longest wait`() {
        let policy = RetryPolicy(first: 500, factor: 2, longest: 5000)
        let ceilings = (1...6).map { policy.ceiling(afterAttempts: $0) }
        #expect(ceilings == [500, 1000, 2000, 4000, 5000, 5000])
        #expect(policy.ceiling(afterAttempts: 10_000) == 5000)
        for random in [0, 1, 4999, 5000, 5001, UInt64.max] as [UInt64] {
            #expect((0...5000).contains(policy.delay(afterAttempts: 9, random: random)))
        }
    }

    @Test func `spreads its waits from nothing to the most`() {
        let policy = RetryPolicy(first: 500, factor: 2, longest: 5000)
        #expect(policy.delay(afterAttempts: 1, random: 0) == 0)
        #expect(policy.delay(afterAttempts: 1, random: 500) == 500)
    }
}

@Suite struct `An in-flight window` {
    @Test func `has no room when its bytes are used up`() {
        var window = InFlightWindow(maxRecords: 10, maxBytes: 100)
        #expect(window.room == 10)
        window.open(bytes: 150)
        #expect(window.room == 0)
        window.close(bytes: 150)
        #expect(window.room == 10)
    }

    @Test func `has no room when its records are used up`() {
        var window = InFlightWindow(maxRecords: 2, maxBytes: 100)
        window.open(bytes: 1)
        window.open(bytes: 1)
        #expect(window.room == 0)
        window.close(bytes: 1)
        #expect(window.room == 1)
    }
}
