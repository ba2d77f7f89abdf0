/// How long to wait before the next connection: longer with each failure, never in step.
struct Backoff {
    var shortest: UInt64
    var longest: UInt64
    private(set) var failures = 0

    init(shortest: UInt64, longest: UInt64) {
        self.shortest = shortest
        self.longest = longest
    }

    /// Counts a failure and returns the pause that follows it: the doubled base and up to half of
    /// it on top, by chance.
    mutating func failed(chance: UInt64) -> UInt64 {
        var base = shortest
        for _ in 0..<failures where base < longest { base *= 2 }
        failures += 1
        let jittered = base + chance % (base / 2 + 1)
        return min(jittered, max(longest, shortest))
    }

    /// Forgets the failures.
    mutating func succeeded() { failures = 0 }
}
