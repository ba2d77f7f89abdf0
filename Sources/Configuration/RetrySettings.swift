/// The `delivery.retry:` block: when a push is tried again, and when no more.
public struct RetrySettings: Equatable, Sendable {
    /// The upper bound of the first wait.
    public var firstNanoseconds: UInt64
    /// By how much each wait is longer than the one before; at least 1.
    public var factor: Double
    /// The upper bound of every wait.
    public var longestNanoseconds: UInt64
    /// How many attempts there are in all; at least 1.
    public var maxAttempts: Int
    /// How long after its first attempt to give up a push.
    public var giveUpAfterNanoseconds: UInt64

    /// Describes retries; what is left out has the default of the connector file.
    public init(
        firstNanoseconds: UInt64 = 500_000_000, factor: Double = 2,
        longestNanoseconds: UInt64 = 300_000_000_000, maxAttempts: Int = 20,
        giveUpAfterNanoseconds: UInt64 = 3_600_000_000_000
    ) {
        self.firstNanoseconds = firstNanoseconds
        self.factor = factor
        self.longestNanoseconds = longestNanoseconds
        self.maxAttempts = maxAttempts
        self.giveUpAfterNanoseconds = giveUpAfterNanoseconds
    }
}
