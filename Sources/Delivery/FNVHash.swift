/// A quick hash of short texts, the same on every machine: FNV-1a, 64 bits.
///
/// Not for texts from which an enemy gains when two are taken for one.
/// Source: Fowler, Noll and Vo, *The FNV Non-Cryptographic Hash Algorithm*, RFC 9923.
public struct FNVHash: Sendable {
    /// The hash of what was added so far.
    public private(set) var value: UInt64

    /// Begins a hash; another `start` makes other hashes.
    public init(_ start: UInt64 = 0) { value = 0xCBF2_9CE4_8422_2325 ^ start }

    /// Adds a text and its end, so that two texts are not taken for two others.
    public mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { add(byte) }
        add(0xFF)
    }

    /// Adds a byte.
    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
}
