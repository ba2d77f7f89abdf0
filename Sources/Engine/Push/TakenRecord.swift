internal import Delivery

/// A record that was taken and is not done.
struct TakenRecord: ~Copyable {
    /// The copy of the record, and the strings of its pushes.
    var stored: RecordCopy
    /// Its offset in the partition that it was read from.
    let offset: Int64
    /// Its share of the window's bytes.
    let byteCount: Int
    /// The number of its pushes.
    let count: Int
    /// The first push; with fan-out, `others` contains the rest.
    private var first: PushID?
    private var others: [PushID] = []
    /// The number of pushes that are not done.
    var remaining: Int
    /// The number of pushes in flight.
    var inFlight = 0
    /// The number of pushes waiting outside the window.
    var waiting = 0
    /// True when at least one of its pushes has a verdict.
    var hasVerdict = false
    /// True when it is finished even though its partition is revoked or the worker drains.
    var isFinishedHere = false
    /// True when another reader will read it again: its offset does not count as done.
    var isAbandoned = false
    /// True when it was taken alone, as the first one of its partition, and is sent alone.
    var isFirst = false
    /// The index of the push whose dead letter has the value of the record; nil if none has, yet.
    var deadLetterWithValue: Int32?
    /// True when it counts as waiting and not against the window.
    var isOutsideWindow = false

    init(stored: consuming RecordCopy, offset: Int64, byteCount: Int, count: Int) {
        self.stored = stored
        self.offset = offset
        self.byteCount = byteCount
        self.count = count
        remaining = count
    }

    /// Adds a push of this record.
    mutating func add(_ id: PushID) {
        if first == nil { first = id } else { others.append(id) }
    }

    /// Two pushes, one of which is of this record or both, have exchanged their slots.
    mutating func exchange(_ one: PushID, _ other: PushID) {
        func exchanged(_ id: PushID) -> PushID { id == one ? other : id == other ? one : id }
        first = first.map(exchanged)
        for index in others.indices where others[index] == one || others[index] == other {
            others[index] = exchanged(others[index])
        }
    }

    /// The push at an index; it may be done.
    func push(at index: Int) -> PushID? { index == 0 ? first : others[index - 1] }

    /// Returns its memory.
    consuming func takeStored() -> RecordCopy { stored }

    /// The index of the push whose dead letter has the value for that of the push at `index`; nil
    /// if it has the value itself. A thousand copies of a large event would be worth nothing.
    mutating func carrier(for index: Int32) -> Int32? {
        guard count > Self.maxCopiesOfValue else { return nil }
        let carrier = deadLetterWithValue ?? index
        deadLetterWithValue = carrier
        return carrier == index ? nil : carrier
    }

    /// The largest number of pushes whose dead letters all have the value of their record.
    private static let maxCopiesOfValue = 10

    /// The assignment that it was taken under.
    var assignment: AssignmentID { stored.assignment }

    /// True when reading it again could repeat pushes that its other pushes still wait for.
    var hasBegun: Bool { count > 1 && (hasVerdict || inFlight > 0) }
}

/// Identifies a taken record by its slot. A record outlives its pushes, so it needs no generation.
struct RecordID: Hashable, Sendable, BitwiseCopyable {
    private let number: UInt32

    init(_ slot: Int) { number = UInt32(slot) }

    var slot: Int { Int(number) }
}
