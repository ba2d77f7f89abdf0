internal import Delivery
internal import EventLoop

/// Records that have arrived and are not taken yet, in memory of their own.
struct HeldRecords: ~Copyable {
    private var store = RecordStore()
    private var records = Slab<RecordCopy>(capacity: 1)

    /// The memory of all of them in bytes.
    var byteCount: Int { store.byteCount }

    /// Copies a record, and returns its slot.
    mutating func add(_ record: borrowing Record) -> Int {
        records.insert(store.copy(record, adding: 0))
    }

    /// The offset of the record in a slot.
    func offset(_ slot: Int) -> Int64 { records[slot].origin.offset }

    /// Removes a record from its slot. Its memory is freed by ``release(_:)``.
    mutating func take(_ slot: Int) -> RecordCopy { records.remove(slot) }

    /// Stores a record that was taken out, and returns its new slot.
    mutating func put(_ copy: consuming RecordCopy) -> Int { records.insert(copy) }

    /// Frees the memory of a record that was taken out.
    mutating func release(_ copy: consuming RecordCopy) { store.release(copy) }

    /// Forgets the record in a slot.
    mutating func drop(_ slot: Int) { store.release(records.remove(slot)) }
}
