import Delivery
import Testing

@testable import Engine

@Suite struct `The time for which sending was suspended` {
    private func moment(_ seconds: UInt64) -> Instant {
        Instant(nanoseconds: seconds * 1_000_000_000)
    }

    private func duration(
        _ suspensions: Suspensions, _ start: UInt64, _ end: UInt64, ongoing: UInt64? = nil
    ) -> Duration {
        suspensions.duration(
            from: moment(start), to: moment(end), ongoing: ongoing.map { moment($0) })
    }

    @Test func `is counted only within the given period`() {
        var suspensions = Suspensions()
        suspensions.add(from: moment(10), to: moment(20))
        suspensions.add(from: moment(40), to: moment(50))
        #expect(duration(suspensions, 0, 60) == .seconds(20))
        #expect(duration(suspensions, 15, 45) == .seconds(10))
        #expect(duration(suspensions, 20, 40) == .zero)
    }

    @Test func `is counted once if two faults overlap`() {
        var suspensions = Suspensions()
        suspensions.add(from: moment(12), to: moment(15))
        suspensions.add(from: moment(10), to: moment(20))
        suspensions.add(from: moment(18), to: moment(30))
        #expect(duration(suspensions, 0, 60) == .seconds(20))
    }

    @Test func `includes an ongoing suspension`() {
        var suspensions = Suspensions()
        suspensions.add(from: moment(10), to: moment(20))
        #expect(duration(suspensions, 0, 60, ongoing: 50) == .seconds(20))
        #expect(duration(suspensions, 55, 60, ongoing: 50) == .seconds(5))
        #expect(duration(suspensions, 0, 60, ongoing: 15) == .seconds(50))
    }

    @Test func `is remembered for a bounded number of suspensions`() {
        var suspensions = Suspensions()
        for index in 0..<1000 as Range<UInt64> {
            suspensions.add(from: moment(10 * index), to: moment(10 * index + 1))
        }
        #expect(duration(suspensions, 0, 20_000) == .seconds(16))
    }
}
