/// A distribution of values, exact to one part in 32.
///
/// Each power of two is divided into 32 buckets, so that every value from 0 to `UInt64.max` fits,
/// recording allocates nothing, and histograms can be added.
public struct Histogram: Equatable, Sendable {
    /// The number of values.
    public private(set) var count: UInt64 = 0
    /// The sum of all values, limited to the largest number.
    public private(set) var sum: UInt64 = 0
    /// The smallest value, or 0 without any.
    public var minimum: UInt64 { count == 0 ? 0 : smallest }
    /// The largest value, or 0 without any.
    public private(set) var maximum: UInt64 = 0
    private var smallest = UInt64.max
    private var buckets: [UInt64]
    private var exemplars = Exemplars()

    @inlinable static var parts: Int { 32 }
    @inlinable static var partBits: Int { 5 }

    /// How many buckets a histogram has.
    @inlinable public static var bucketCount: Int { 1920 }

    /// Creates an empty histogram.
    public init() {
        buckets = Array(repeating: 0, count: Self.bucketCount)
    }

    /// Creates a histogram from its parts.
    public init(sum: UInt64, maximum: UInt64, buckets: [UInt64], exemplars: Exemplars) {
        count = buckets.reduce(0, &+)
        self.sum = sum
        let first = buckets.firstIndex { $0 > 0 }
        smallest = first.map { min(Self.middle(of: $0), maximum) } ?? .max
        self.maximum = maximum
        self.buckets = buckets
        self.exemplars = exemplars
    }

    /// Records a value.
    public mutating func record(_ value: UInt64) {
        buckets[Self.bucket(of: value)] &+= 1
        count &+= 1
        sum = sum.addingClamped(value)
        smallest = min(smallest, value)
        maximum = max(maximum, value)
    }

    /// Records a value that an exemplar explains.
    public mutating func record(_ exemplar: Exemplar) {
        record(exemplar.value)
        exemplars.note(exemplar)
    }

    /// The newest exemplar above a value, if any, and up to another. Those that were recorded
    /// earlier are forgotten: one for each power of two is kept.
    public func exemplar(above low: UInt64?, upTo high: UInt64) -> Exemplar? {
        exemplars.newest(above: low, upTo: high)
    }

    /// The value that a share of all values do not exceed: 0.5 for the median; 0 without values.
    public func quantile(_ share: Double) -> UInt64 {
        precondition((0...1).contains(share), "a quantile is a share between 0 and 1")
        guard count > 0 else { return 0 }
        let wanted = max(1, UInt64((share * Double(count)).rounded(.up)))
        guard wanted < count else { return maximum }
        var seen: UInt64 = 0
        for index in buckets.indices {
            seen &+= buckets[index]
            if seen >= wanted { return min(max(Self.middle(of: index), minimum), maximum) }
        }
        return maximum
    }

    /// How many values were at most this one, to the precision of the buckets.
    public func count(upTo value: UInt64) -> UInt64 {
        if value >= maximum { return count }
        return buckets[...Self.bucket(of: value)].reduce(0, &+)
    }

    /// Adds another histogram's values.
    public mutating func merge(_ other: Self) {
        for index in buckets.indices { buckets[index] &+= other.buckets[index] }
        count &+= other.count
        sum = sum.addingClamped(other.sum)
        smallest = min(smallest, other.smallest)
        maximum = max(maximum, other.maximum)
        exemplars.merge(other.exemplars)
    }

    /// The values recorded since an earlier state of this histogram, without exemplars; the
    /// smallest and the largest are exact to the precision of the buckets.
    public func since(_ earlier: Self) -> Self {
        var difference = Self()
        for index in buckets.indices {
            let count = buckets[index] &- earlier.buckets[index]
            guard count > 0 else { continue }
            let value = min(max(Self.middle(of: index), minimum), maximum)
            difference.buckets[index] = count
            difference.smallest = min(difference.smallest, value)
            difference.maximum = value
        }
        difference.count = count &- earlier.count
        difference.sum = sum &- earlier.sum
        return difference
    }

    /// Removes all values, keeping the memory.
    public mutating func reset() {
        for index in buckets.indices { buckets[index] = 0 }
        (count, sum, smallest, maximum) = (0, 0, .max, 0)
        exemplars = Exemplars()
    }

    /// The bucket that counts a value.
    @inlinable public static func bucket(of value: UInt64) -> Int {
        guard value >= 32 else { return Int(truncatingIfNeeded: value) }
        let shift = UInt64.bitWidth &- 1 &- value.leadingZeroBitCount &- partBits
        return shift &* parts
            &+ Int(truncatingIfNeeded: value &>> UInt64(truncatingIfNeeded: shift))
    }

    private static func middle(of bucket: Int) -> UInt64 {
        guard bucket >= parts else { return UInt64(bucket) }
        let shift = UInt64(bucket / parts - 1)
        let start = UInt64(bucket % parts + parts) << shift
        return start + (UInt64(1) << shift) / 2
    }
}

extension UInt64 {
    /// The sum, limited to the largest number.
    fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
