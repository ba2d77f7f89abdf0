internal import Delivery
internal import EventLoop

/// The records of pushes, and what is counted about each. No other code changes them.
extension PushTable {
    /// A record that was taken and is not done.
    subscript(record: RecordID) -> TakenRecord {
        _read { yield records[record.slot] }
    }

    /// The record that a push comes from.
    subscript(recordOf id: PushID) -> TakenRecord {
        _read { yield records[self[id].record.slot] }
    }

    /// The copy of a record, with room for the texts of its pushes.
    subscript(textsOf record: RecordID) -> RecordCopy {
        _read { yield records[record.slot].stored }
        _modify { yield &records[record.slot].stored }
    }

    /// The number of records that are not done.
    var recordCount: Int { records.count }
    /// Every slot of records, occupied or not.
    var recordSlots: Range<Int> { records.slotRange }
    /// The memory of all records in bytes.
    var recordBytes: Int { store.byteCount }

    /// True for a record that is not done.
    func isTaken(_ record: RecordID) -> Bool { records.isTaken(record.slot) }

    // MARK: Taking

    /// Copies a record, with room for this many more bytes; headers whose names start with `prefix`
    /// are left out. `origin` is the position of its event, nil for its own.
    mutating func copy(
        _ record: borrowing Record, adding extra: Int, leavingOut prefix: StaticString,
        origin: RecordOrigin?
    ) -> RecordCopy {
        guard let origin else { return store.copy(record, adding: extra, leavingOut: prefix) }
        return store.copy(record, adding: extra, leavingOut: prefix, origin: origin)
    }

    /// Frees the memory of a copy that became no record.
    mutating func release(_ copy: consuming RecordCopy) { store.release(copy) }

    /// Stores a record that was taken; `isFirst` says that it was taken alone.
    mutating func open(_ record: consuming TakenRecord, isFirst: Bool) -> RecordID {
        let id = RecordID(records.insert(record))
        if isFirst { records[id.slot].isFirst = true }
        return id
    }

    /// Adds a push to its record.
    mutating func add(_ id: PushID, to record: RecordID) { records[record.slot].add(id) }

    /// Two pushes have exchanged their slots.
    mutating func exchangeInRecords(_ one: PushID, _ other: PushID) {
        let (left, right) = (self[one].record, self[other].record)
        records[left.slot].exchange(one, other)
        if right != left { records[right.slot].exchange(one, other) }
    }

    // MARK: What happens to its pushes

    /// A connection has accepted a push.
    mutating func requestSent(_ id: PushID) { records[self[id].record.slot].inFlight += 1 }

    /// The request of a push has ended.
    mutating func requestEnded(_ id: PushID) { records[self[id].record.slot].inFlight -= 1 }

    /// A push has its verdict, or moves to the retry topic.
    mutating func noteVerdict(of id: PushID) { records[self[id].record.slot].hasVerdict = true }

    /// A push waits outside the window.
    mutating func countAsWaiting(_ id: PushID) {
        guard !self[id].waitsOutsideWindow else { return }
        self[id].waitsOutsideWindow = true
        records[self[id].record.slot].waiting += 1
    }

    /// True when all pushes of a record wait and it still counts against the window.
    func mayLeaveWindow(_ record: RecordID) -> Bool {
        let slot = record.slot
        return !records[slot].isOutsideWindow && !records[slot].isAbandoned
            && records[slot].waiting == records[slot].remaining
    }

    /// A record has left the window.
    mutating func leftWindow(_ record: RecordID) { records[record.slot].isOutsideWindow = true }

    /// The index of the push whose dead letter has the value of the record for that of this push;
    /// nil if it has the value itself.
    mutating func carrier(for id: PushID) -> Int32? {
        let (slot, index) = (self[id].record.slot, self[id].index)
        return records[slot].carrier(for: index)
    }

    // MARK: The end

    /// Whether a record is finished although its partition is revoked or the worker drains.
    mutating func finishHere(_ record: RecordID, _ isFinished: Bool) {
        records[record.slot].isFinishedHere = isFinished
    }

    /// Another reader will read a record again.
    mutating func abandon(_ record: RecordID) {
        records[record.slot].isAbandoned = true
        records[record.slot].isFinishedHere = false
    }

    /// Closes a push; true when it was the last one of its record.
    mutating func closeInRecord(_ id: PushID) -> Bool {
        let slot = self[id].record.slot
        if self[id].waitsOutsideWindow { records[slot].waiting -= 1 }
        close(id)
        records[slot].remaining -= 1
        return records[slot].remaining == 0
    }

    /// Removes a record all of whose pushes are closed, and frees its memory.
    mutating func close(_ id: RecordID) -> ClosedRecord {
        let record = records.remove(id.slot)
        let closed = ClosedRecord(
            assignment: record.assignment, offset: record.offset, bytes: record.byteCount,
            isOutsideWindow: record.isOutsideWindow, isAbandoned: record.isAbandoned)
        store.release(record.takeStored())
        return closed
    }
}

/// A record all of whose pushes are closed.
struct ClosedRecord {
    /// The assignment that it was taken under.
    let assignment: AssignmentID
    let offset: Int64
    /// Its share of the window's bytes.
    let bytes: Int
    /// True when it counted as waiting and not against the window.
    let isOutsideWindow: Bool
    /// True when another reader will read it again: its offset does not count as done.
    let isAbandoned: Bool
}
