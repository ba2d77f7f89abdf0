/// A number that only increases.
///
/// Like the other instruments it is a plain value: each worker owns its own, and copies are summed
/// for reporting.
public struct Counter: Equatable, Sendable, BitwiseCopyable {
    /// The count so far.
    public private(set) var value: UInt64 = 0

    /// Starts at 0.
    public init() {}

    /// Increases the count.
    public mutating func increment(by amount: UInt64 = 1) { value &+= amount }

    /// Adds another counter's count.
    public mutating func merge(_ other: Self) { value &+= other.value }
}
