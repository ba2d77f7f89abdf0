extension SeededMember {
    /// Its speed and limits, randomized by the seed.
    public struct Habits: Sendable {
        /// The most records of a partition in one fetch.
        public var largestFetch: UInt64 = 64
        /// The duration of a fetch or a commit.
        public var latency = Duration.milliseconds(1)...Duration.milliseconds(10)
        /// The percentage of commits that fail.
        public var failingCommits: UInt64 = 0
        /// The most records kept ready.
        public var queueLimit = 10_000
        /// How long the owner works on a record.
        public var recordTime = Duration.zero

        /// Creates the default habits.
        public init() {}
    }
}
