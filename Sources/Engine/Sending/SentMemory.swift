/// Remembers the newest push that was sent for each device token and collapse ID, so that a push in
/// doubt is not sent again over a newer one.
///
/// Bounded: past ``capacity`` keys the older half is dropped, except for open pushes. Pushes are
/// ordered by their birth, a number that rises with every push that is taken.
struct SentMemory: Sendable {
    /// The number of keys in each of the two halves.
    static let capacity = 65_536

    private var newer = BirthTable()
    private var older = BirthTable()
    /// Entries for pushes born up to then may have been dropped.
    private var forgotten: UInt64 = 0

    /// True when the older half has to be dropped.
    var isFull: Bool { newer.count >= Self.capacity }
    var count: Int { newer.count + older.count }

    /// Records a push that is sent.
    mutating func sent(_ key: UInt64, birth: UInt64) {
        newer.raise(key, to: birth, atLeast: older)
    }

    /// True when nothing newer was sent; false also when that is unknown.
    func isNewest(_ key: UInt64, birth: UInt64) -> Bool {
        guard let known = newer[key] ?? older[key] else { return birth > forgotten }
        return known <= birth
    }

    /// Drops the older half, except for the given keys.
    mutating func forgetOlder(but keys: [UInt64]) {
        var kept = BirthTable()
        for key in keys where newer[key] == nil {
            if let birth = older[key] { kept.raise(key, to: birth, atLeast: kept) }
        }
        forgotten = max(forgotten, older.latest)
        older = newer
        newer = kept
    }
}
