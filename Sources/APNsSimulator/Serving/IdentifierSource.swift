internal import Delivery

/// Makes identifiers for those who send none: random UUIDs, not secret.
struct IdentifierSource {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A UUID of version 4 in its canonical form.
    mutating func next() -> [UInt8] {
        let high = random() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var text: [UInt8] = []
        text.reserveCapacity(36)
        NotificationID(high: high, low: low).write(to: &text)
        return text
    }

    /// SplitMix64.
    private mutating func random() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
