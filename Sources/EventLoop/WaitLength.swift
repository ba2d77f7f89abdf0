public import Delivery

/// How long a kernel waits for a deadline: the rule that the real kernel and simulated ones share.
public enum WaitLength {
    /// The longest wait; afterwards the owner looks again.
    public static let maximum = Duration.seconds(60)

    /// The milliseconds to wait, rounded up so that the deadline has passed when the wait ends; 0
    /// for a deadline that has passed.
    public static func milliseconds(from now: Instant, until deadline: Instant) -> Int64 {
        max(0, min((deadline - now).milliseconds, maximum.milliseconds))
    }
}
