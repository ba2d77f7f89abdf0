/// Random numbers that follow from a seed: SplitMix64.
/// Source: Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Begins at a state; equal states give equal numbers.
    public init(state: UInt64) { self.state = state }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of a range, both ends included.
    public mutating func number(in range: ClosedRange<UInt64>) -> UInt64 {
        let width = range.upperBound - range.lowerBound
        return width == .max ? next() : range.lowerBound + next() % (width + 1)
    }

    /// True in `percent` of all cases.
    public mutating func happens(_ percent: UInt64) -> Bool { next() % 100 < percent }
}
