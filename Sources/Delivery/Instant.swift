/// A moment of the monotonic clock, which no change of the wall clock moves.
///
/// Source: `CLOCK_MONOTONIC`, POSIX.1-2017, *clock_getres*.
public struct Instant: InstantProtocol, Sendable, BitwiseCopyable {
    /// Nanoseconds since a moment that the system chooses.
    public var nanoseconds: UInt64

    /// Names a moment.
    @inlinable public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// Before every moment that a clock shows.
    public static let distantPast = Instant(nanoseconds: 0)
    /// After every moment that a clock shows.
    public static let distantFuture = Instant(nanoseconds: .max)

    /// The moment that lies `duration` later, at most ``distantFuture``.
    public func advanced(by duration: Duration) -> Instant {
        let distance = duration.nanoseconds
        let (moved, overflowed) =
            distance >= 0
            ? nanoseconds.addingReportingOverflow(UInt64(distance))
            : nanoseconds.subtractingReportingOverflow(distance.magnitude)
        guard overflowed else { return Instant(nanoseconds: moved) }
        return distance > 0 ? .distantFuture : .distantPast
    }

    /// How long it is from this moment to another one; negative when that was earlier.
    public func duration(to other: Instant) -> Duration {
        .nanoseconds(Int64(truncatingIfNeeded: other.nanoseconds &- nanoseconds))
    }

    /// The moment that lies so much later.
    public static func + (moment: Instant, duration: Duration) -> Instant {
        moment.advanced(by: duration)
    }

    /// The moment that lies so much earlier.
    public static func - (moment: Instant, duration: Duration) -> Instant {
        moment.advanced(by: .zero - duration)
    }

    /// True for the earlier one of two moments.
    @inlinable public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// Whole nanoseconds; what is longer than 292 years counts as that.
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowedToo) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed || overflowedToo ? (seconds < 0 ? .min : .max) : sum
    }

    /// Whole milliseconds; a part of one counts as one.
    public var milliseconds: Int64 {
        let nanoseconds = nanoseconds
        return nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
    }
}
