internal import Delivery
internal import EventLoop

/// The pushes of a worker that are not done, in numbered, reusable slots, with their side table and
/// the records that they come from.
struct PushTable: ~Copyable {
    /// The records that were taken and are not done.
    var records: Slab<TakenRecord>
    /// The memory of these records.
    var store = RecordStore()
    private var lastSequence: UInt64 = 0
    private var slots: FlatArray<Push>
    private var free: [UInt32] = []
    /// The first entry is shared by every push without details, and never changes.
    private var details = [PushDetails()]
    private var freeDetails: [UInt32] = []

    init(capacity: Int) {
        records = Slab(capacity: capacity)
        slots = FlatArray(capacity: capacity)
        free.reserveCapacity(capacity)
    }

    /// The number of open pushes.
    var count: Int { slots.count - free.count }
    /// Every slot, occupied or not.
    var slotRange: Range<Int> { slots.indices }

    subscript(slot: Int) -> Push {
        _read { yield slots[slot] }
        _modify { yield &slots[slot] }
    }

    subscript(id: PushID) -> Push {
        _read { yield slots[id.slot] }
        _modify { yield &slots[id.slot] }
    }

    /// The ID of the push in a slot.
    func id(of slot: Int) -> PushID { PushID(slot: slot, generation: slots[slot].generation) }

    /// True when the ID names a push that is not done.
    func isCurrent(_ id: PushID) -> Bool {
        id.slot < slots.count && slots[id.slot].generation == id.generation
            && slots[id.slot].state.kind != .done
    }

    /// Opens a push.
    mutating func open() -> PushID {
        let slot: Int
        if let last = free.popLast() {
            slot = Int(last)
        } else {
            slots.append(Push())
            slot = slots.count - 1
        }
        renew(slot)
        return id(of: slot)
    }

    /// Closes a push and frees its slot.
    mutating func close(_ id: PushID) {
        apply(.closed, to: id)
        let number = slots[id.slot].details
        if number != 0 {
            details[Int(number)] = PushDetails()
            freeDetails.append(number)
            setDetails(0, of: id.slot)
        }
        free.append(UInt32(id.slot))
    }

    /// The details of a push; without any, the defaults.
    subscript(details id: PushID) -> PushDetails {
        _read { yield details[Int(slots[id.slot].details)] }
    }

    /// True for a push that may have arrived without being confirmed.
    func isInDoubt(_ id: PushID) -> Bool {
        let number = slots[id.slot].details
        return number != 0 && details[Int(number)].doubt != nil
    }

    /// The age of a push when its record was taken.
    func ageBefore(_ id: PushID) -> Duration { details[Int(slots[id.slot].details)].age }

    /// The push of a record at an index; nil when it is done.
    func openPush(_ index: Int, of record: RecordID) -> PushID? {
        guard let id = records[record.slot].push(at: index), isCurrent(id) else { return nil }
        return id
    }

    /// The assignment under which the record of a push was taken.
    func assignment(of id: PushID) -> AssignmentID { self[recordOf: id].assignment }

    /// A number that increases with every push; its upper bits are the wall clock.
    mutating func nextSequence(_ wallClock: Int64) -> UInt64 {
        lastSequence = max(lastSequence + 1, UInt64(max(0, wallClock)) << 20)
        return lastSequence
    }

    /// True when a push has details.
    func hasDetails(_ id: PushID) -> Bool { slots[id.slot].details != 0 }

    /// Changes the details of a push.
    mutating func change<Result>(
        _ id: PushID, _ body: (inout PushDetails) -> Result
    ) -> Result {
        if slots[id.slot].details == 0 {
            if freeDetails.isEmpty {
                details.append(PushDetails())
                freeDetails.append(UInt32(details.count - 1))
            }
            setDetails(freeDetails.removeLast(), of: id.slot)
        }
        return body(&details[Int(slots[id.slot].details)])
    }
}
