import Telemetry
import Testing

@Suite struct `An instrument` {
    @Test func `without values has quantiles of 0`() {
        let histogram = Histogram()
        #expect(histogram.quantile(0.99) == 0)
        #expect(histogram.minimum == 0)
    }

    @Test func `has a bucket for every value`() {
        var histogram = Histogram()
        histogram.record(0)
        histogram.record(.max)
        histogram.record(.max)
        #expect(histogram.quantile(0) == 0)
        #expect(histogram.quantile(1) == .max)
        #expect(histogram.sum == .max)
    }

    @Test(arguments: [1, 31, 32, 63, 64, 1000, 123_456, 987_654_321_012, UInt64.max / 3])
    func `is exact to one part in 32`(value: UInt64) {
        var histogram = Histogram()
        histogram.record(value)
        histogram.record(value * 2)
        let error = Double(histogram.quantile(0.5)) / Double(value) - 1
        #expect(abs(error) <= 1.0 / 32)
    }

    @Test func `knows the median and the slowest in a hundred`() {
        var histogram = Histogram()
        for value in 1...10_000 as ClosedRange<UInt64> { histogram.record(value) }
        #expect((4_850...5_150).contains(histogram.quantile(0.5)))
        #expect((9_600...10_000).contains(histogram.quantile(0.99)))
        #expect(histogram.minimum == 1)
        #expect(histogram.maximum == 10_000)
    }

    @Test func `counts what was recorded since an earlier state`() {
        var histogram = Histogram()
        for value in [5, 5000] as [UInt64] { histogram.record(value) }
        let earlier = histogram
        #expect(histogram.since(earlier) == Histogram())
        for value in 10...20 as ClosedRange<UInt64> { histogram.record(value) }
        let since = histogram.since(earlier)
        #expect(since.count == 11)
        #expect(since.sum == 165)
        #expect(since.minimum == 10)
        #expect(since.maximum == 20)
        #expect(since.quantile(0.5) == 15)
    }

    @Test func `adds up across workers`() {
        var (left, right, both) = (Histogram(), Histogram(), Histogram())
        for value in [3, 70, 900] as [UInt64] {
            left.record(value)
            right.record(value * 5)
            both.record(value)
            both.record(value * 5)
        }
        left.merge(right)
        #expect(left == both)
        var counter = Counter()
        counter.increment()
        var other = Counter()
        other.increment(by: 41)
        counter.merge(other)
        #expect(counter.value == 42)
    }

    @Test func `is empty after a reset`() {
        var histogram = Histogram()
        histogram.record(5)
        histogram.reset()
        #expect(histogram == Histogram())
    }

    @Test func `goes up and down`() {
        var gauge = Gauge(2)
        gauge.add(3)
        gauge.add(-4)
        #expect(gauge.value == 1)
        gauge.record(7)
        #expect(gauge.value == 7)
    }
}
