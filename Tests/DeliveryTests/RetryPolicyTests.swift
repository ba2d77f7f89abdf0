import Delivery
import Testing

@Suite struct `A retry policy` {
    @Test func `never waits longer than its longest wait`() {
        let policy = RetryPolicy(
            first: .milliseconds(500), factor: 2, maximum: .milliseconds(5000))
        let ceilings = (1...6).map { policy.ceiling(afterAttempts: $0).milliseconds }
        #expect(ceilings == [500, 1000, 2000, 4000, 5000, 5000])
        #expect(policy.ceiling(afterAttempts: 10_000) == .seconds(5))
        for random in [0, 1, 4999, 5000, 5001, UInt64.max] as [UInt64] {
            let delay = policy.delay(afterAttempts: 9, random: random)
            #expect((0...5000).contains(delay.milliseconds))
        }
    }

    @Test func `spreads its waits between zero and the maximum`() {
        let policy = RetryPolicy(
            first: .milliseconds(500), factor: 2, maximum: .milliseconds(5000))
        #expect(policy.delay(afterAttempts: 1, random: 0) == .zero)
        #expect(policy.delay(afterAttempts: 1, random: 500) == .milliseconds(500))
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
