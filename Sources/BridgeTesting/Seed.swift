public import Encoding
internal import EventLoop

/// Where a simulated run takes every choice from: the same seed, the same history.
///
/// A failing test shows its seed; `APNS_BRIDGE_SEED=17 swift test` runs that one alone, and
/// `APNS_BRIDGE_SEEDS=5000` so many of them.
public struct Seed: Hashable, Sendable, CustomStringConvertible {
    /// The number that was drawn or given.
    public let number: UInt64

    /// Names a seed.
    public init(_ number: UInt64) { self.number = number }

    /// The words that a failing run prints.
    public var description: String { "seed \(number)" }

    /// A generator of its own for one purpose, so that purposes do not disturb each other.
    public func generator(_ purpose: UInt64 = 0) -> SeededGenerator {
        SeededGenerator(seed: number &* 0x2545_F491_4F6C_DD1D &+ purpose &* 0x9E37_79B9)
    }

    /// The seeds 1 to `count`, unless the environment asks for others.
    public static func several(_ count: UInt64) -> [Seed] {
        if let one = environment("APNS_BRIDGE_SEED") { return [Seed(one)] }
        return (1...max(1, environment("APNS_BRIDGE_SEEDS") ?? count)).map(Seed.init)
    }

    private static func environment(_ name: String) -> UInt64? {
        ProcessEnvironment.variables[name].flatMap { UInt64($0) }
    }
}
