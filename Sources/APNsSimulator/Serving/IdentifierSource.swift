internal import Delivery
internal import Encoding

/// Generates identifiers for requests without one: random UUIDs, not secret.
struct IdentifierSource {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// A version 4 UUID in canonical form.
    mutating func next() -> [UInt8] {
        let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var text: [UInt8] = []
        text.reserveCapacity(36)
        NotificationID(high: high, low: low).write(to: &text)
        return text
    }
}
