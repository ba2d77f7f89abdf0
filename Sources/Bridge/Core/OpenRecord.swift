internal import Delivery

/// A record that was taken and is not done.
struct OpenRecord: ~Copyable {
    private(set) var record: Record
    /// The assignment that it was taken under.
    let assignment: AssignmentID
    /// The offset that is done when it is.
    let offset: Int64
    let byteCount: Int
    /// How many notifications were made of it.
    let count: Int
    /// How many of its notifications are open.
    var remaining: Int
    /// How many of them are sent and have no answer yet.
    var inFlight = 0
    /// True when one of them has its verdict.
    var hasVerdict = false
    /// True when it is finished although its partition goes: see ``WorkerCore/abandon(_:until:)``.
    var isKept = false
    /// True when it is to be read again by whoever comes next: its offset does not count as done.
    var isAbandoned = false
    /// How many of its open notifications have waited for time to pass.
    var setAside = 0
    /// True when it takes no place in the window: see ``WorkerCore/park(record:)``.
    var isParked = false
    private var isDetached = false

    init(record: consuming Record, offset: Int64, byteCount: Int, remaining: Int) {
        assignment = record.assignment
        self.offset = offset
        self.record = record
        self.byteCount = byteCount
        self.remaining = remaining
        count = remaining
    }

    /// True when reading it again may send twice what others of its notifications still wait for.
    var hasBegun: Bool { count > 1 && (hasVerdict || inFlight > 0) }

    /// Gives the source's memory back, which may be far more than this record: it may stay long.
    mutating func detach() {
        guard !isDetached else { return }
        isDetached = true
        record.detach()
    }
}
