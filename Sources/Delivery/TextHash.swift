/// A fast hash of short strings, eight bytes at a time. It is only stable within one process.
///
/// Do not use it where an attacker would gain from a collision.
public struct TextHash: Sendable {
    /// The hash of everything added so far.
    public private(set) var value: UInt64

    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Starts a hash; different seeds yield different hashes.
    ///
    /// The seed is spread over all bits: otherwise a difference between two small seeds could undo
    /// the same difference between the first words added.
    public init(_ start: UInt64 = 0) { value = 0xCBF2_9CE4_8422_2325 ^ (start &* Self.factor) }

    /// Adds eight bytes. The product spreads differences upwards, the shift back down.
    mutating func add(_ word: UInt64) {
        value = (value ^ word) &* Self.factor
        value ^= value >> 32
    }
}
