internal import CNGHTTP2

/// The peer's dynamic table after everything written so far (RFC 7541, 2.3.2).
struct FieldTable: ~Copyable {
    /// The largest table we use, whatever the peer allows.
    private static let largest = 4096
    /// The size of an entry besides its name and value (RFC 7541, 4.1).
    private static let overhead = 32

    private struct Entry {
        var field: RequestField
        var value: [UInt8]
        var size: Int
    }

    /// The entries, oldest first, starting at `head`.
    private var entries: [Entry] = []
    private var head = 0
    /// How many entries have been removed from the front of `entries`.
    private var forgotten = 0
    /// The number of the newest entry of each field, counted from 1 over the whole connection.
    private var newest = InlineArray<11, Int>(repeating: 0)
    private var size = 0
    private var limit = FieldTable.largest
    /// The smallest limit since the last block; nil unless it was lowered.
    private var leastLimit: Int?
    private(set) var hasNewLimit = false
    /// Indices remain valid as long as this does not change.
    private(set) var version = 0

    /// The peer allows a table of this size from now on.
    mutating func allow(_ bytes: Int) {
        let wanted = min(bytes, Self.largest)
        guard wanted != limit else { return }
        if wanted < limit { leastLimit = min(leastLimit ?? wanted, wanted) }
        limit = wanted
        hasNewLimit = true
        evict(for: 0)
    }

    /// The peer's table is no longer known: the next block makes the peer clear it.
    mutating func forget() {
        let before = limit
        allow(0)
        allow(before)
        (leastLimit, hasNewLimit) = (0, true)
    }

    /// The size updates that the next block must start with: after a change the smallest size, then
    /// the current one (RFC 7541, 4.2).
    mutating func takeSizes() -> (least: Int?, now: Int)? {
        guard hasNewLimit else { return nil }
        defer { (hasNewLimit, leastLimit) = (false, nil) }
        return (leastLimit == limit ? nil : leastLimit, limit)
    }

    /// The index of a field's name; nil when it is not in the table.
    mutating func name(of field: RequestField) -> Int? {
        let number = newest[Int(field.rawValue)]
        return number > forgotten + head ? index(of: number) : nil
    }

    /// The index of a field with its value; nil when it is not in the table.
    mutating func whole(_ field: RequestField, _ value: [UInt8]) -> Int? {
        var number = newest[Int(field.rawValue)]
        // Most values are unchanged; otherwise all entries are searched.
        while number > forgotten + head {
            let entry = entries[number - forgotten - 1]
            if entry.field == field, Self.equal(entry.value, value) { return index(of: number) }
            number -= 1
        }
        return nil
    }

    private static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return unsafe apns_bytes_equal(one, other, one.count) != 0
    }

    /// The static table has 61 entries; our newest one follows.
    private func index(of number: Int) -> Int { 62 + forgotten + entries.count - number }

    /// True when a field can be added without evicting most of the others.
    func takes(_ field: RequestField, _ value: [UInt8]) -> Bool {
        size(of: field, value) <= limit / 4 * 3
    }

    private func size(of field: RequestField, _ value: [UInt8]) -> Int {
        field.name.utf8CodeUnitCount + value.count + Self.overhead
    }

    /// A field was written that the peer adds to its table.
    mutating func add(_ field: RequestField, _ value: [UInt8]) {
        let size = size(of: field, value)
        version += 1
        evict(for: size)
        // A copy, so that the caller's array stays uniquely referenced.
        entries.append(Entry(field: field, value: Array(value[...]), size: size))
        self.size += size
        newest[Int(field.rawValue)] = forgotten + entries.count
    }

    /// Evicts the oldest entries until there is room for this many more bytes.
    private mutating func evict(for bytes: Int) {
        while head < entries.count, size + bytes > limit {
            size -= entries[head].size
            head += 1
            version += 1
        }
        guard head > 32 else { return }
        entries.removeFirst(head)
        forgotten += head
        head = 0
    }
}
