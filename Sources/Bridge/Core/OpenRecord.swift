internal import Delivery

/// A record that was taken and is not done.
struct OpenRecord: ~Copyable {
    let record: Record
    let byteCount: Int
    /// How many of its notifications are open.
    var remaining: Int
    /// True when it is to be read again by whoever comes next: its offset does not count as done.
    var isAbandoned = false

    init(record: consuming Record, byteCount: Int, remaining: Int) {
        self.record = record
        self.byteCount = byteCount
        self.remaining = remaining
    }
}
