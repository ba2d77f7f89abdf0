internal import Delivery

/// The newest push by key, in contiguous memory: nothing is rehashed, and a lookup touches a single
/// location.
struct SequenceTable: Sendable {
    /// A push: how new it is, and its `apns-id`.
    struct Newest: Equatable, Sendable {
        var age: PushAge
        var id: NotificationID
    }

    private struct Entry {
        var key: UInt64 = 0
        /// A sequence of 0 marks a free slot.
        var newest = Newest(age: PushAge(sequence: 0), id: NotificationID(high: 0, low: 0))
    }

    /// Twice the number of keys that the table usually contains.
    private let usualSize: Int

    private var entries: [Entry] = []
    private(set) var count = 0
    /// The age of the newest push in the table.
    private(set) var latest = PushAge(sequence: 0)

    /// Creates an empty table, which allocates memory with its first key.
    ///
    /// - Parameter usualCount: the usual number of keys, a power of two.
    init(usualCount: Int) { usualSize = 2 * usualCount }

    /// The newest push for a key.
    subscript(key: UInt64) -> Newest? {
        guard count > 0 else { return nil }
        let newest = entries[bucket(of: key)].newest
        return newest.age.sequence == 0 ? nil : newest
    }

    /// Raises the newest push of a key, unless it has a later one here or, if it has none here, in
    /// another table.
    mutating func raise(_ key: UInt64, to newest: Newest, atLeast other: borrowing SequenceTable) {
        if 2 * count >= entries.count { grow() }
        let bucket = bucket(of: key)
        var known = entries[bucket].newest
        if known.age.sequence == 0 {
            count += 1
            // Usually all in the other table are earlier: a look would only miss the cache.
            if other.latest > newest.age, let there = other[key] { known = there }
        }
        if known.age < newest.age || known.age.sequence == 0 { known = newest }
        // Sequences start at 1.
        known.age.sequence = max(known.age.sequence, 1)
        entries[bucket] = Entry(key: key, newest: known)
        latest = max(latest, known.age)
    }

    /// The slot of a key, or the free slot where it belongs.
    private func bucket(of key: UInt64) -> Int {
        // The keys are already hashes.
        var bucket = Int(truncatingIfNeeded: key) & (entries.count - 1)
        while entries[bucket].newest.age.sequence != 0, entries[bucket].key != key {
            bucket = (bucket + 1) & (entries.count - 1)
        }
        return bucket
    }

    private mutating func grow() {
        let before = entries
        entries = Array(repeating: Entry(), count: max(usualSize, 2 * before.count))
        for entry in before where entry.newest.age.sequence != 0 {
            entries[bucket(of: entry.key)] = entry
        }
    }
}
