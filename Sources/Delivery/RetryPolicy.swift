/// When a notification is sent again, and when no more.
///
/// Exponential back-off with full jitter: the wait before attempt n + 1 is drawn evenly from 0 to
/// `first * factor^(n-1)`, at most `longest`.
/// Source: Marc Brooker, *Exponential Backoff And Jitter*, AWS Architecture Blog, 2015.
public struct RetryPolicy: Equatable, Sendable {
    /// The most that the first wait may be, in milliseconds.
    public var first: Int64
    /// By what each further wait grows.
    public var factor: Double
    /// The most that any wait may be, in milliseconds.
    public var longest: Int64
    /// How often a notification is sent at most.
    public var maxAttempts: Int
    /// How long after it was taken it is given up, in milliseconds.
    public var giveUpAfter: Int64

    /// Half a second doubling to five minutes, twenty attempts, one hour.
    public init(
        first: Int64 = 500, factor: Double = 2, longest: Int64 = 300_000, maxAttempts: Int = 20,
        giveUpAfter: Int64 = 3_600_000
    ) {
        self.first = first
        self.factor = factor
        self.longest = longest
        self.maxAttempts = maxAttempts
        self.giveUpAfter = giveUpAfter
    }

    /// The most that the wait after so many attempts may be, in milliseconds.
    public func ceiling(afterAttempts attempts: Int) -> Int64 {
        var ceiling = Double(first)
        for _ in 1..<max(1, attempts) {
            ceiling *= factor
            if ceiling >= Double(longest) { return longest }
        }
        return min(Int64(ceiling), longest)
    }

    /// The wait after so many attempts, in milliseconds, from a random number.
    public func delay(afterAttempts attempts: Int, random: UInt64) -> Int64 {
        Int64(random % UInt64(max(1, ceiling(afterAttempts: attempts) + 1)))
    }
}
