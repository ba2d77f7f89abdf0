/// Names a push: its slot in the table, and which of the slot's tenants it is.
///
/// Every reference to a push that leaves its table is one of these: the opaque value of a result
/// record, the tag of a request, an entry of a queue or of a heap of deadlines. Whoever comes back
/// with one after the push is done finds nothing, whatever the slot holds now.
package struct PushID: Hashable, Sendable, BitwiseCopyable {
    /// A generation has so many bits; then it begins again.
    static let generationBits: UInt64 = 28
    private static let generationMask: UInt64 = 1 << generationBits - 1

    /// The slot in the lower half of 60 bits, the generation above it.
    package let rawValue: UInt64

    /// Reads what ``rawValue`` was.
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
