internal import Delivery

/// A record that was taken and is not done.
struct OpenRecord: ~Copyable {
    private(set) var record: Record
    let byteCount: Int
    /// How many of its notifications are open.
    var remaining: Int
    /// True when it is to be read again by whoever comes next: its offset does not count as done.
    var isAbandoned = false
    private var isDetached = false

    init(record: consuming Record, byteCount: Int, remaining: Int) {
        self.record = record
        self.byteCount = byteCount
        self.remaining = remaining
    }

    /// Gives the source's memory back, which may be far more than this record: it may stay long.
    mutating func detach() {
        guard !isDetached else { return }
        isDetached = true
        record.detach()
    }
}
