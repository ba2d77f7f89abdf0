/// When a notification is sent again, and when it is given up.
///
/// Exponential back-off with full jitter: the delay before attempt n + 1 is uniformly distributed
/// between 0 and `first * factor^(n-1)`, at most `maximum`.
/// Source: Marc Brooker, *Exponential Backoff And Jitter*, AWS Architecture Blog, 2015.
public struct RetryPolicy: Equatable, Sendable {
    /// The maximum of the first delay.
    public var first: Duration
    /// The growth factor of the maximum delay.
    public var factor: Double
    /// The maximum of any delay.
    public var maximum: Duration
    /// The most times that a notification is sent.
    public var maxAttempts: Int
    /// How long after it was taken a notification is given up.
    public var giveUpAfter: Duration

    /// Half a second doubling to five minutes, twenty attempts, one hour.
    public init(
        first: Duration = .milliseconds(500), factor: Double = 2,
        maximum: Duration = .seconds(300), maxAttempts: Int = 20,
        giveUpAfter: Duration = .seconds(3600)
    ) {
        self.first = first
        self.factor = factor
        self.maximum = maximum
        self.maxAttempts = maxAttempts
        self.giveUpAfter = giveUpAfter
    }

    /// The maximum delay after this many attempts.
    public func ceiling(afterAttempts attempts: Int) -> Duration {
        var ceiling = Double(first.milliseconds)
        for _ in 1..<max(1, attempts) {
            ceiling *= factor
            if ceiling >= Double(maximum.milliseconds) { return maximum }
        }
        return min(.milliseconds(Int64(ceiling)), maximum)
    }

    /// The delay after this many attempts, in whole milliseconds, from a random number.
    public func delay(afterAttempts attempts: Int, random: UInt64) -> Duration {
        let ceiling = ceiling(afterAttempts: attempts).milliseconds
        return .milliseconds(Int64(random % UInt64(max(1, ceiling + 1))))
    }
}
