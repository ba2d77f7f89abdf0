import Delivery
import Testing

@Suite struct `A moment on the monotonic clock` {
    private let moment = Instant.distantPast + .seconds(100)

    @Test func `is as far from another as what was added to it`() {
        #expect(moment + .milliseconds(5) - moment == .milliseconds(5))
        #expect(moment - (moment + .nanoseconds(3)) == .nanoseconds(-3))
        #expect(moment - .seconds(40) == .distantPast + .seconds(60))
    }

    @Test func `never leaves the range of the clock`() {
        #expect(moment - .seconds(101) == .distantPast)
        #expect(Instant.distantFuture + .nanoseconds(1) == .distantFuture)
        #expect(moment + .seconds(Int64.max) > moment)
    }

    @Test func `is as far from the extremes as a duration can be, and never on the other side`() {
        let maximum = Duration.nanoseconds(Int64.max)
        #expect(Instant.distantFuture - moment == maximum)
        #expect(moment - .distantFuture == .zero - maximum)
        #expect(Instant.distantFuture - .distantPast == maximum)
        #expect(Instant.distantPast - .distantFuture == .zero - maximum)
        #expect(Instant.distantFuture - .distantFuture == .zero)
        #expect((Instant.distantFuture - moment).milliseconds > 0)
        #expect((Instant.distantFuture - moment).roundedUp(to: .seconds(1)) > .zero)
    }
}

@Suite struct `A duration` {
    @Test func `is rounded up to milliseconds for a wait, and down for a report`() {
        #expect(Duration.nanoseconds(1_000_001).milliseconds == 2)
        #expect(Duration.nanoseconds(1_999_999).wholeMilliseconds == 1)
        #expect(Duration.milliseconds(1999).wholeSeconds == 1)
    }

    @Test func `is rounded up to a multiple of a step`() {
        let step = Duration.seconds(1)
        #expect(Duration.nanoseconds(1).roundedUp(to: step) == step)
        #expect(step.roundedUp(to: step) == step)
        #expect(Duration.milliseconds(1001).roundedUp(to: step) == .seconds(2))
    }

    @Test(arguments: [0, 1, 7, UInt64.max - 1, UInt64.max])
    func `has parts between none and all of it`(_ chance: UInt64) {
        let whole = Duration.nanoseconds(7)
        #expect((.zero...whole).contains(whole.part(chance)))
        #expect(Duration.zero.part(chance) == .zero)
        #expect(Duration.seconds(-1).part(chance) == .zero)
    }

    @Test func `can have any part of itself`() {
        let parts = Set((0...7 as ClosedRange<UInt64>).map { Duration.nanoseconds(7).part($0) })
        #expect(parts.count == 8)
    }
}
