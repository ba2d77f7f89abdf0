/// Identifies a push by its slot in the table and the slot's generation.
///
/// Every reference outside the table is a `PushID`: the opaque value of a result record, the tag of
/// a request, an entry of a queue or of a deadline heap. A reference that comes back after its push
/// is done matches nothing, whatever occupies the slot by then.
package struct PushID: Hashable, Sendable, BitwiseCopyable {
    /// The width of a generation in bits; it wraps around.
    static let generationBits: UInt64 = 28
    private static let generationMask: UInt64 = 1 << generationBits - 1

    /// The slot in the lower half of 60 bits, the generation above it.
    package let rawValue: UInt64

    /// Restores an ID from its ``rawValue``.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    init(slot: Int, generation: UInt32) {
        rawValue = UInt64(slot) | (UInt64(generation) & Self.generationMask) << 32
    }

    var slot: Int { Int(rawValue & 0xFFFF_FFFF) }
    var generation: UInt32 { UInt32(rawValue >> 32 & Self.generationMask) }

    /// The generation after this one.
    static func next(after generation: UInt32) -> UInt32 {
        UInt32((UInt64(generation) + 1) & generationMask)
    }
}
