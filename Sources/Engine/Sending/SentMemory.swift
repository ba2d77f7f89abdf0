/// Remembers the newest push sent for each device token and collapse ID, so that a push in doubt is
/// not resent over a newer one.
///
/// Bounded: beyond ``capacity`` keys the older half is dropped, except for open pushes. Pushes are
/// ordered by their birth, a number that increases with every push taken.
struct SentMemory: Sendable {
    /// The number of keys in each of the two halves.
    let capacity: Int

    private var newer: BirthTable
    private var older: BirthTable
    /// Entries of pushes born up to then may have been dropped.
    private var forgotten: UInt64 = 0

    /// Creates an empty memory of two halves with this many keys each.
    init(capacity: Int = 65_536) {
        self.capacity = capacity
        newer = BirthTable(usualCount: capacity)
        older = newer
    }

    /// True when the older half has to be dropped.
    var isFull: Bool { newer.count >= capacity }
    var count: Int { newer.count + older.count }

    /// Records that a push is sent.
    mutating func sent(_ key: UInt64, birth: UInt64) {
        newer.raise(key, to: birth, atLeast: older)
    }

    /// True when nothing newer was sent; false also if that is unknown.
    func isNewest(_ key: UInt64, birth: UInt64) -> Bool {
        guard let known = newer[key] ?? older[key] else { return birth > forgotten }
        return known <= birth
    }

    /// Drops the older half, except for the given keys.
    mutating func forgetOlder(but keys: [UInt64]) {
        var kept = BirthTable(usualCount: capacity)
        for key in keys where newer[key] == nil {
            if let birth = older[key] { kept.raise(key, to: birth, atLeast: kept) }
        }
        forgotten = max(forgotten, older.latest)
        older = newer
        newer = kept
    }
}
