public import Delivery
public import Encoding

/// Choices of a simulated run.
extension SeededGenerator {
    /// A number in a range, including both ends.
    public mutating func number(in range: ClosedRange<UInt64>) -> UInt64 {
        let width = range.upperBound - range.lowerBound
        return width == .max ? next() : range.lowerBound + next() % (width + 1)
    }

    /// A duration in a range, including both ends.
    public mutating func duration(in range: ClosedRange<Duration>) -> Duration {
        range.lowerBound + (range.upperBound - range.lowerBound).part(next())
    }

    /// A moment up to `end`, including it.
    public mutating func moment(until end: Instant) -> Instant {
        .after((end - .distantPast).part(next()))
    }

    /// True in `percent` of all cases.
    public mutating func happens(_ percent: UInt64) -> Bool { next() % 100 < percent }
}
