internal import Delivery

/// The delay before the next connection: it grows with each failure and is randomized.
struct Backoff {
    var minimum: Duration
    var maximum: Duration
    private(set) var failures = 0

    init(minimum: Duration, maximum: Duration) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Counts a failure and returns the delay: the doubled base plus up to half of it at random; at
    /// most the longest, and then a random one in the upper half of that.
    mutating func failed(chance: UInt64) -> Duration {
        var base = minimum
        for _ in 0..<failures where base < maximum { base *= 2 }
        failures += 1
        guard base + base / 2 > maximum else { return base + (base / 2).part(chance) }
        return max(minimum, maximum / 2 + (maximum / 2).part(chance))
    }

    /// Resets the failures.
    mutating func succeeded() { failures = 0 }
}
