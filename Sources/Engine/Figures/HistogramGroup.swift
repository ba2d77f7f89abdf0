internal import Telemetry

/// Three histograms and some counters in one piece of memory, for what is recorded together.
struct HistogramGroup: Equatable, Sendable {
    /// What is known of all values of a histogram besides its buckets.
    private struct Summary: Equatable, Sendable {
        var sum: UInt64 = 0
        var maximum: UInt64 = 0

        mutating func add(_ value: UInt64) {
            let (total, overflow) = sum.addingReportingOverflow(value)
            sum = overflow ? .max : total
            if value > maximum { maximum = value }
        }
    }

    private static let size = 3
    private static let bucketsOfAll = size * Histogram.bucketCount

    /// The buckets of all histograms, one after the other, then the counters.
    private var cells: [UInt64]
    private var first = Summary()
    private var second = Summary()
    private var third = Summary()
    private var exemplars = Array(repeating: Exemplars(), count: size)

    /// Creates empty histograms, and counters at 0.
    init(counters: Int) {
        cells = Array(repeating: 0, count: Self.bucketsOfAll + counters)
    }

    /// A histogram as a value of its own, with a copy of its memory; its smallest value is exact to
    /// the precision of the buckets.
    subscript(number: Int) -> Histogram {
        let summary = [first, second, third][number]
        let start = number * Histogram.bucketCount
        return Histogram(
            sum: summary.sum, maximum: summary.maximum,
            buckets: Array(cells[start..<start + Histogram.bucketCount]),
            exemplars: exemplars[number])
    }

    /// The value of a counter.
    func count(_ counter: Int) -> UInt64 { cells[Self.bucketsOfAll + counter] }

    /// The sum of all counters.
    var total: UInt64 { cells[Self.bucketsOfAll...].reduce(0, &+) }

    /// Increments a counter.
    mutating func increment(_ counter: Int) { cells[Self.bucketsOfAll + counter] &+= 1 }

    /// Records a value in each histogram for which there is one.
    mutating func record(_ one: UInt64?, _ two: UInt64?, _ three: UInt64?) {
        if let one {
            cells[Histogram.bucket(of: one)] &+= 1
            first.add(one)
        }
        if let two {
            cells[Histogram.bucketCount &+ Histogram.bucket(of: two)] &+= 1
            second.add(two)
        }
        if let three {
            cells[2 &* Histogram.bucketCount &+ Histogram.bucket(of: three)] &+= 1
            third.add(three)
        }
    }

    /// Notes what explains a value that a histogram has recorded.
    mutating func note(_ exemplar: Exemplar, in number: Int) {
        exemplars[number].note(exemplar)
    }
}
