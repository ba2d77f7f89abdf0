/// Repeatable chance: the same seed, row and number always give the same result.
struct Chance: Equatable, Sendable {
    let seed: UInt64

    /// A number from 0 up to 1, not included.
    func fraction(row: Int, number: Int) -> Double {
        var mixed = seed &+ UInt64(truncatingIfNeeded: row) &* 0xD1B5_4A32_D192_ED03
        mixed &+= UInt64(truncatingIfNeeded: number &+ 1) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Double(mixed >> 11) / Double(UInt64(1) << 53)
    }
}
