/// A seeded random number generator: SplitMix64.
/// Source: Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014.
public struct SeededGenerator: RandomNumberGenerator, Equatable, Sendable {
    private var state: UInt64

    /// Creates a generator; equal seeds yield equal numbers.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.mix(state)
    }

    /// The increment of the state for each number.
    public static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Derives a random-looking number from another one.
    public static func mix(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
