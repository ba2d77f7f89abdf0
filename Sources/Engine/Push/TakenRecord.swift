internal import Delivery

/// A record that was taken and is not done.
struct TakenRecord: ~Copyable {
    /// Its bytes, and those of what was made of it.
    var stored: RecordCopy
    /// The offset that is done when it is, in the partition that it was read from.
    let offset: Int64
    /// What it takes of the window's bytes.
    let byteCount: Int
    /// How many pushes were made of it.
    let count: Int
    /// The first push, and with fan-out the others.
    private var first: PushID?
    private var others: [PushID] = []
    /// How many of its pushes are not done.
    var remaining: Int
    /// How many of them are in flight.
    var inFlight = 0
    /// How many of them wait outside the window.
    var waiting = 0
    /// True when one of them has its verdict.
    var hasVerdict = false
    /// True when it is finished although its partition is revoked or the worker drains.
    var isFinishedHere = false
    /// True when it is read again by somebody else: its offset does not count as done.
    var isAbandoned = false
    /// True when it counts as waiting, and takes no room in the window.
    var isOutsideWindow = false

    init(stored: consuming RecordCopy, offset: Int64, byteCount: Int, count: Int) {
        self.stored = stored
        self.offset = offset
        self.byteCount = byteCount
        self.count = count
        remaining = count
    }

    /// Takes note of a push that was made of it.
    mutating func add(_ id: PushID) {
        if first == nil { first = id } else { others.append(id) }
    }

    /// A push that was made of it; it may be done.
    func push(at index: Int) -> PushID? { index == 0 ? first : others[index - 1] }

    /// Hands its memory over.
    consuming func takeStored() -> RecordCopy { stored }

    /// The assignment that it was taken under.
    var assignment: AssignmentID { stored.assignment }

    /// True when reading it again may send twice what others of its pushes still wait for.
    var hasBegun: Bool { count > 1 && (hasVerdict || inFlight > 0) }
}
