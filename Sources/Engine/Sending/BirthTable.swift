/// Births by key, in contiguous memory: nothing is rehashed, and a lookup touches a single
/// location.
struct BirthTable: Sendable {
    private struct Entry {
        var key: UInt64 = 0
        /// 0 for a free slot.
        var birth: UInt64 = 0
    }

    /// Twice the number of keys that the table usually contains.
    private let usualSize: Int

    private var entries: [Entry] = []
    private(set) var count = 0
    /// The latest birth in the table.
    private(set) var latest: UInt64 = 0

    /// Creates an empty table, which allocates memory with its first key.
    ///
    /// - Parameter usualCount: the usual number of keys, a power of two.
    init(usualCount: Int) { usualSize = 2 * usualCount }

    /// The birth for a key.
    subscript(key: UInt64) -> UInt64? {
        guard count > 0 else { return nil }
        let entry = entries[place(of: key)]
        return entry.birth == 0 ? nil : entry.birth
    }

    /// Raises the birth of a key, unless it has a later one here or, if it has none here, in
    /// another table.
    mutating func raise(_ key: UInt64, to birth: UInt64, atLeast other: BirthTable) {
        if 2 * count >= entries.count { grow() }
        let place = place(of: key)
        var known = entries[place].birth
        if known == 0 {
            count += 1
            // Usually every birth in the other table is earlier: a look would only miss the cache.
            if other.latest > birth { known = other[key] ?? 0 }
        }
        // Births start at 1.
        let latest = max(known, birth, 1)
        entries[place] = Entry(key: key, birth: latest)
        self.latest = max(self.latest, latest)
    }

    /// The slot of a key, or the free slot where it belongs.
    private func place(of key: UInt64) -> Int {
        // The keys are already hashes.
        var place = Int(truncatingIfNeeded: key) & (entries.count - 1)
        while entries[place].birth != 0, entries[place].key != key {
            place = (place + 1) & (entries.count - 1)
        }
        return place
    }

    private mutating func grow() {
        let before = entries
        entries = Array(repeating: Entry(), count: max(usualSize, 2 * before.count))
        for entry in before where entry.birth != 0 { entries[place(of: entry.key)] = entry }
    }
}
