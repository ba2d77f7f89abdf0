/// A moment on the monotonic clock, which does not depend on the wall clock.
///
/// Source: `CLOCK_MONOTONIC`, POSIX.1-2017, *clock_getres*.
public struct Instant: InstantProtocol, Sendable, BitwiseCopyable {
    /// Nanoseconds since an arbitrary moment.
    public var nanoseconds: UInt64

    /// Creates a moment.
    @inlinable public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// Earlier than any moment a clock returns.
    public static let distantPast = Instant(nanoseconds: 0)
    /// Later than any moment a clock returns.
    public static let distantFuture = Instant(nanoseconds: .max)

    /// The moment `duration` later, at most ``distantFuture``.
    public func advanced(by duration: Duration) -> Instant {
        let distance = duration.nanoseconds
        let (moved, overflowed) =
            distance >= 0
            ? nanoseconds.addingReportingOverflow(UInt64(distance))
            : nanoseconds.subtractingReportingOverflow(distance.magnitude)
        guard overflowed else { return Instant(nanoseconds: moved) }
        return distance > 0 ? .distantFuture : .distantPast
    }

    /// The duration from this moment to another, limited to about 292 years; negative when that is
    /// earlier.
    public func duration(to other: Instant) -> Duration {
        other >= self
            ? .nanoseconds(Int64(clamping: other.nanoseconds - nanoseconds))
            : .nanoseconds(-Int64(clamping: nanoseconds - other.nanoseconds))
    }

    /// The moment `duration` later.
    public static func + (moment: Instant, duration: Duration) -> Instant {
        moment.advanced(by: duration)
    }

    /// The moment `duration` earlier.
    public static func - (moment: Instant, duration: Duration) -> Instant {
        moment.advanced(by: .zero - duration)
    }

    /// The duration from one moment to a later one; negative when that is earlier.
    public static func - (later: Instant, earlier: Instant) -> Duration {
        earlier.duration(to: later)
    }

    /// Moves a moment by `duration`.
    public static func += (moment: inout Instant, duration: Duration) {
        moment = moment.advanced(by: duration)
    }

    /// True when the first moment is earlier.
    @inlinable public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// Whole nanoseconds; limited to about 292 years.
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowedToo) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed || overflowedToo ? (seconds < 0 ? .min : .max) : sum
    }

    /// Milliseconds, rounded up.
    public var milliseconds: Int64 {
        let nanoseconds = nanoseconds
        return nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
    }

    /// Milliseconds, without the rest.
    public var wholeMilliseconds: Int64 { nanoseconds / 1_000_000 }

    /// Seconds, without the rest.
    public var wholeSeconds: Int64 { components.seconds }

    /// The shortest multiple of `step` that is not shorter; the longest one there is for a duration
    /// close to the limit.
    public func roundedUp(to step: Duration) -> Duration {
        let step = step.nanoseconds
        let whole = nanoseconds / step
        let (next, overflowed) = whole.addingReportingOverflow(nanoseconds % step > 0 ? 1 : 0)
        let (product, overflowedToo) = next.multipliedReportingOverflow(by: step)
        return .nanoseconds(overflowed || overflowedToo ? whole * step : product)
    }

    /// A part of this duration, from none to all of it, chosen by a random number.
    public func part(_ chance: UInt64) -> Duration {
        .nanoseconds(Int64(chance % (UInt64(max(0, nanoseconds)) + 1)))
    }
}
