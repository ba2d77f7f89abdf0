/// A number that goes up and down.
public struct Gauge: Equatable, Sendable, BitwiseCopyable {
    /// The current number.
    public private(set) var value: Double

    /// Starts at a number.
    public init(_ value: Double = 0) { self.value = value }

    /// Sets the number.
    public mutating func record(_ value: Double) { self.value = value }

    /// Changes the number by a difference.
    public mutating func add(_ difference: Double) { value += difference }

    /// Adds another gauge's number, to sum over workers.
    public mutating func merge(_ other: Self) { value += other.value }
}
