internal import Encoding

/// Repeatable randomness: the same seed, row and number always yield the same result.
struct Chance: Equatable, Sendable {
    let seed: UInt64

    /// A number from 0 up to but not including 1.
    func fraction(row: Int, number: Int) -> Double {
        var mixed = seed &+ UInt64(truncatingIfNeeded: row) &* 0xD1B5_4A32_D192_ED03
        mixed &+= UInt64(truncatingIfNeeded: number &+ 1) &* SeededGenerator.step
        return Double(SeededGenerator.mix(mixed) >> 11) / Double(UInt64(1) << 53)
    }
}
