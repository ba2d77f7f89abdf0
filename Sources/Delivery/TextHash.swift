/// A quick hash of short texts, eight bytes at a time. It holds for one run of the program.
///
/// Not for texts from which an enemy gains when two are taken for one.
public struct TextHash: Sendable {
    /// The hash of what was added so far.
    public private(set) var value: UInt64

    /// Begins a hash; another `start` makes other hashes.
    public init(_ start: UInt64 = 0) { value = 0xCBF2_9CE4_8422_2325 ^ start }

    /// Adds eight bytes. The product moves differences up, the shift brings them down again.
    @inline(__always)
    mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        value ^= value >> 32
    }
}
