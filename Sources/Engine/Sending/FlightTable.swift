/// The requests in flight by key: how many there are, and which is the newest.
///
/// An open-addressed table in contiguous memory, as large as what was ever in flight at once. While
/// other requests with a key are in flight, the newest one counts although it may have ended.
struct FlightTable: Sendable {
    private struct Entry {
        var key: UInt64 = 0
        /// 0 for a free slot.
        var count: UInt32 = 0
        var newest = PushAge(sequence: 0)
    }

    private static let firstSize = 64

    private var entries: [Entry] = []
    /// The number of keys.
    private(set) var count = 0

    /// The age of the newest push in flight with a key; nil when there is none.
    func newest(_ key: UInt64) -> PushAge? {
        guard count > 0 else { return nil }
        let entry = entries[slot(of: key)]
        return entry.count == 0 ? nil : entry.newest
    }

    /// A push is sent.
    mutating func add(_ key: UInt64, age: PushAge) {
        if 2 * count >= entries.count { grow() }
        let slot = slot(of: key)
        if entries[slot].count == 0 {
            count += 1
            entries[slot] = Entry(key: key)
        }
        entries[slot].count += 1
        entries[slot].newest = max(entries[slot].newest, age)
    }

    /// The request of a push has ended.
    mutating func remove(_ key: UInt64) {
        guard count > 0 else { return }
        let slot = slot(of: key)
        guard entries[slot].count > 0 else { return }
        entries[slot].count -= 1
        if entries[slot].count == 0 { free(slot) }
    }

    /// The slot of a key, or the free slot where it belongs. Keys are hashes already.
    private func slot(of key: UInt64) -> Int {
        var slot = home(of: key)
        while entries[slot].count > 0, entries[slot].key != key {
            slot = (slot + 1) & (entries.count - 1)
        }
        return slot
    }

    private func home(of key: UInt64) -> Int {
        Int(truncatingIfNeeded: key) & (entries.count - 1)
    }

    /// Frees a slot, and moves entries back that would no longer be found behind it.
    private mutating func free(_ slot: Int) {
        count -= 1
        var hole = slot
        var next = (slot + 1) & (entries.count - 1)
        while entries[next].count > 0 {
            let distance = (next - home(of: entries[next].key)) & (entries.count - 1)
            if distance >= (next - hole) & (entries.count - 1) {
                entries[hole] = entries[next]
                hole = next
            }
            next = (next + 1) & (entries.count - 1)
        }
        entries[hole].count = 0
    }

    private mutating func grow() {
        let before = entries
        entries = Array(repeating: Entry(), count: max(Self.firstSize, 2 * before.count))
        for entry in before where entry.count > 0 { entries[slot(of: entry.key)] = entry }
    }
}
