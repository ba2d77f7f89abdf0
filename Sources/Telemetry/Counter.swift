/// A number that only grows.
///
/// Like the other instruments a plain value: a worker owns its own, and whoever reports adds
/// up copies.
public struct Counter: Equatable, Sendable, BitwiseCopyable {
    /// What was counted so far.
    public private(set) var value: UInt64 = 0

    /// Starts at 0.
    public init() {}

    /// Counts more.
    public mutating func increment(by amount: UInt64 = 1) { value &+= amount }

    /// Adds what another one counted.
    public mutating func merge(_ other: Self) { value &+= other.value }
}
