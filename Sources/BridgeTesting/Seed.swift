public import Encoding

/// The source of all randomness in a simulated run: the same seed yields the same history.
///
/// A failing test prints its seed; `APNS_BRIDGE_SEED=17 swift test` runs only that one, and
/// `APNS_BRIDGE_SEEDS=5000` that many. `APNS_BRIDGE_SEED_FACTOR=80` runs 80 times as many as each
/// test has by itself, and `APNS_BRIDGE_MOST_SEEDS=30` limits how many there are.
public struct Seed: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let number: UInt64

    /// Creates a seed.
    public init(_ number: UInt64) { self.number = number }

    /// The text printed by a failing run.
    public var description: String { "seed \(number)" }

    /// A separate generator for one purpose, so that purposes do not affect each other.
    public func generator(_ purpose: UInt64 = 0) -> SeededGenerator {
        SeededGenerator(seed: number &* 0x2545_F491_4F6C_DD1D &+ purpose &* 0x9E37_79B9)
    }

    /// The seeds 1 to `count`, and those that once found a fault beyond these, unless the
    /// environment requests others.
    public static func several(_ count: UInt64, and others: UInt64...) -> [Seed] {
        if let one = TestSetting.number("APNS_BRIDGE_SEED") { return [Seed(one)] }
        let factor = min(TestSetting.number("APNS_BRIDGE_SEED_FACTOR") ?? 1, 1_000_000)
        let wanted = TestSetting.number("APNS_BRIDGE_SEEDS") ?? count * factor
        let last = min(wanted, TestSetting.number("APNS_BRIDGE_MOST_SEEDS") ?? wanted)
        return ((1...last) + others.filter { $0 > last }).map(Seed.init)
    }
}
