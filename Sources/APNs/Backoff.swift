internal import Delivery

/// The delay before the next connection: it grows with each failure and is randomized.
struct Backoff {
    var shortest: Duration
    var longest: Duration
    private(set) var failures = 0

    init(shortest: Duration, longest: Duration) {
        self.shortest = shortest
        self.longest = longest
    }

    /// Counts a failure and returns the delay: the doubled base plus up to half of it at random; at
    /// most the longest, and then a random one in the upper half of that.
    mutating func failed(chance: UInt64) -> Duration {
        var base = shortest
        for _ in 0..<failures where base < longest { base *= 2 }
        failures += 1
        guard base + base / 2 > longest else { return base + (base / 2).part(chance) }
        return max(shortest, longest / 2 + (longest / 2).part(chance))
    }

    /// Resets the failures.
    mutating func succeeded() { failures = 0 }
}
