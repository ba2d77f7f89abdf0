/// Remembers the newest push that was sent for each device token and collapse ID, so that one in
/// doubt is not sent again over a newer one.
///
/// Bounded: past ``capacity`` keys the older half is forgotten, but for what is still open. Pushes
/// are ordered by their birth, a number that rises with every push that is taken.
struct SentMemory: Sendable {
    /// How many keys each of the two halves holds.
    static let capacity = 65_536

    private var newer: [UInt64: UInt64] = [:]
    private var older: [UInt64: UInt64] = [:]
    /// Of pushes that were born until then, something may be forgotten.
    private var forgotten: UInt64 = 0

    /// True when the older half is to be forgotten.
    var isFull: Bool { newer.count >= Self.capacity }
    var count: Int { newer.count + older.count }

    /// Takes note of a push that is sent.
    mutating func sent(_ key: UInt64, birth: UInt64) {
        newer[key] = max(newer[key] ?? older[key] ?? 0, birth)
    }

    /// True when nothing newer was sent; false also when that is not known any more.
    func isNewest(_ key: UInt64, birth: UInt64) -> Bool {
        guard let known = newer[key] ?? older[key] else { return birth > forgotten }
        return known <= birth
    }

    /// Forgets the older half, but for some keys.
    mutating func forgetOlder(but keys: [UInt64]) {
        var kept: [UInt64: UInt64] = [:]
        for key in keys where newer[key] == nil { kept[key] = older[key] }
        forgotten = max(forgotten, older.values.max() ?? 0)
        older = newer
        newer = kept
    }
}
