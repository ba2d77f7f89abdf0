internal import Delivery
internal import Encoding

/// Generates identifiers for requests without one: random UUIDs, not secret.
struct IdentifierSource {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// A version 4 UUID in canonical form.
    mutating func next() -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        NotificationID.random(using: &generator).write(to: &text)
        return text
    }
}
