/// Births by key, in one flat piece of memory: nothing is hashed again, and to look one up touches
/// one place of it.
struct BirthTable: Sendable {
    private struct Entry {
        var key: UInt64 = 0
        /// 0 for a place without an entry.
        var birth: UInt64 = 0
    }

    /// Twice as many places as a half of ``SentMemory`` has keys.
    private static let usualSize = 2 * SentMemory.capacity

    private var entries: [Entry] = []
    private(set) var count = 0
    /// The latest birth in the table.
    private(set) var latest: UInt64 = 0

    /// The birth for a key.
    subscript(key: UInt64) -> UInt64? {
        guard count > 0 else { return nil }
        let entry = entries[place(of: key)]
        return entry.birth == 0 ? nil : entry.birth
    }

    /// Makes a birth that of a key, unless it has a later one here or, when it has none here, in
    /// another table.
    mutating func raise(_ key: UInt64, to birth: UInt64, atLeast other: BirthTable) {
        if 2 * count >= entries.count { grow() }
        let place = place(of: key)
        var known = entries[place].birth
        if known == 0 {
            count += 1
            known = other[key] ?? 0
        }
        // Births begin with 1.
        let latest = max(known, birth, 1)
        entries[place] = Entry(key: key, birth: latest)
        self.latest = max(self.latest, latest)
    }

    /// Where a key stands, or the free place where it would.
    private func place(of key: UInt64) -> Int {
        // The keys are hashes.
        var place = Int(truncatingIfNeeded: key) & (entries.count - 1)
        while entries[place].birth != 0, entries[place].key != key {
            place = (place + 1) & (entries.count - 1)
        }
        return place
    }

    private mutating func grow() {
        let before = entries
        entries = Array(repeating: Entry(), count: max(Self.usualSize, 2 * before.count))
        for entry in before where entry.birth != 0 { entries[place(of: entry.key)] = entry }
    }
}
