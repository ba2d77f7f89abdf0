import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A rate limit` {
    private static let second: Instant = 1_000_000_000
    private let limit = RateLimit(PushRate(5, per: .seconds(1)))

    @Test func `allows a burst of its size, then one push at a time`() {
        let now: Instant = 100_000_000_000
        var fullAt: Instant = 0
        for _ in 0..<5 {
            #expect(limit.next(fullAt: fullAt) <= now)
            fullAt = limit.taken(fullAt: fullAt, now: now)
        }
        #expect(limit.next(fullAt: fullAt) == now + .milliseconds(200))
    }

    @Test func `holds in the long run`() {
        var fullAt: Instant = 0
        var count = 0
        for milliseconds in stride(from: 10_000, to: 110_000, by: 10) {
            let now = Instant.distantPast + .milliseconds(milliseconds)
            guard limit.next(fullAt: fullAt) <= now else { continue }
            fullAt = limit.taken(fullAt: fullAt, now: now)
            count += 1
        }
        #expect((500...505).contains(count))
    }

    @Test func `counts each device separately`() {
        var rates = DeviceRates(limit, capacity: 64)
        for _ in 0..<5 { rates.take(1, now: Self.second) }
        #expect(rates.next(1) > Self.second)
        #expect(rates.next(2) <= Self.second)
    }

    @Test func `never delays a device because of others, however many there are`() {
        var rates = DeviceRates(limit, capacity: 64)
        for key in 1...10_000 as ClosedRange<UInt64> {
            let hash = key &* 0x9E37_79B9_7F4A_7C15
            #expect(rates.next(hash) <= Self.second)
            rates.take(hash, now: Self.second)
        }
    }

    @Test func `remembers a busy device longer than quiet ones`() {
        var rates = DeviceRates(limit, capacity: 4)
        for _ in 0..<5 { rates.take(1, now: Self.second) }
        for key in 2...100 as ClosedRange<UInt64> { rates.take(key, now: Self.second) }
        #expect(rates.next(1) > Self.second)
    }
}

@Suite struct `Adaptive concurrency` {
    private var now: Instant = 1_000_000_000
    private var concurrency = AdaptiveConcurrency(floor: 16, ceiling: 1000)

    /// A second of responses while so many are in flight.
    private mutating func second(
        busyOf100: Int = 0, after milliseconds: Int64 = 30, inFlight: Int? = nil
    ) {
        concurrency.sent(inFlight: inFlight ?? concurrency.limit)
        for number in 0...1000 {
            concurrency.responded(
                isBusy: number % 100 < busyOf100, after: milliseconds, now: now)
            now += .milliseconds(1)
        }
    }

    @Test mutating func `stays at its ceiling while all is well`() {
        for _ in 0..<10 { second() }
        #expect(concurrency.limit == 1000)
    }

    @Test mutating func `falls by a third each second while APNs is busy, down to its floor`() {
        var limits: [Int] = []
        for _ in 0..<12 {
            second(busyOf100: 10)
            limits.append(concurrency.limit)
        }
        #expect(limits == [666, 444, 296, 197, 131, 87, 58, 38, 25, 16, 16, 16])
    }

    @Test mutating func `rises again when APNs is no longer busy`() {
        for _ in 0..<12 { second(busyOf100: 10) }
        for _ in 0..<20 { second() }
        #expect(concurrency.limit == 1000)
    }

    @Test mutating func `does not rise while it is not needed`() {
        for _ in 0..<12 { second(busyOf100: 10) }
        for _ in 0..<20 { second(inFlight: 3) }
        #expect(concurrency.limit == 16)
    }

    @Test mutating func `falls from the number in flight, not from a limit never reached`() {
        second(busyOf100: 10, inFlight: 90)
        #expect(concurrency.limit == 60)
    }

    @Test mutating func `falls when responses take three times as long as the fastest`() {
        for _ in 0..<5 { second(after: 50) }
        second(after: 400)
        #expect(concurrency.limit == 666)
    }

    @Test mutating func `does not take a clock that is set back for fast responses`() {
        for _ in 0..<5 { second(after: 150) }
        second(after: -7_200_000)
        for _ in 0..<5 { second(after: 150) }
        #expect(concurrency.limit == 1000)
    }

    @Test mutating func `is not changed by a few busy or slightly slow responses`() {
        for _ in 0..<5 { second(busyOf100: 4, after: 10) }
        for _ in 0..<5 { second(after: 90) }
        #expect(concurrency.limit == 1000)
    }

    @Test mutating func `is not changed before there are enough responses`() {
        for _ in 0..<9 {
            concurrency.responded(isBusy: true, after: 30, now: now)
            now += .seconds(2)
        }
        #expect(concurrency.limit == 1000)
    }
}
