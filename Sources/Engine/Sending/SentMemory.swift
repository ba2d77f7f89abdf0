internal import Delivery

/// Remembers, by app, push type, device token and collapse ID, the newest push that arrived or may
/// have arrived: APNs accepted it, or it is in doubt. An older one is not sent over it.
///
/// Bounded: beyond ``capacity`` keys the older half is dropped, except for open pushes.
struct SentMemory: Sendable {
    /// The number of keys in each of the two halves.
    let capacity: Int

    private var newer: SequenceTable
    private var older: SequenceTable
    /// Entries of pushes up to this age may have been dropped.
    private var forgotten = PushAge(sequence: 0)

    /// Creates an empty memory of two halves with this many keys each.
    init(capacity: Int = 65_536) {
        self.capacity = capacity
        newer = SequenceTable(usualCount: capacity)
        older = newer
    }

    /// True when the older half has to be dropped.
    var isFull: Bool { newer.count >= capacity }
    var count: Int { newer.count + older.count }

    /// Records that a push arrived, or may have.
    mutating func arrived(_ key: UInt64, age: PushAge, _ id: NotificationID) {
        newer.raise(key, to: .init(age: age, id: id), atLeast: older)
    }

    /// The newest push that arrived, as far as it is known.
    func newest(_ key: UInt64) -> SequenceTable.Newest? { newer[key] ?? older[key] }

    /// True when nothing newer arrived; false also if that is unknown.
    func isNewest(_ key: UInt64, age: PushAge) -> Bool {
        guard let known = newest(key) else { return age > forgotten }
        return known.age <= age
    }

    /// Drops the older half, except for the given keys.
    mutating func forgetOlder(but keys: [UInt64]) {
        var kept = SequenceTable(usualCount: capacity)
        for key in keys where newer[key] == nil {
            if let newest = older[key] { kept.raise(key, to: newest, atLeast: kept) }
        }
        forgotten = max(forgotten, older.latest)
        older = newer
        newer = kept
    }
}
