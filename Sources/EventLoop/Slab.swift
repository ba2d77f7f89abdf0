/// Numbered slots for values that cannot be copied; freed slots are reused.
@safe public struct Slab<Element: ~Copyable>: ~Copyable {
    @usableFromInline var storage: UnsafeMutableBufferPointer<Element>
    @usableFromInline var isTaken: [Bool]
    @usableFromInline var free: [Int] = []
    /// The number of slots in use.
    @inlinable public var count: Int { taken }
    @usableFromInline var taken = 0

    /// Creates an empty slab with room for `capacity` values; it grows on demand.
    public init(capacity: Int) {
        let capacity = max(1, capacity)
        unsafe storage = .allocate(capacity: capacity)
        isTaken = Array(repeating: false, count: capacity)
        free = Array((0..<capacity).reversed())
    }

    deinit {
        for index in isTaken.indices where isTaken[index] {
            unsafe storage.deinitializeElement(at: index)
        }
        unsafe storage.deallocate()
    }

    /// The numbers of all slots, in use or not.
    public var slotRange: Range<Int> { isTaken.indices }

    /// True when a slot is in use.
    public func isTaken(_ index: Int) -> Bool { isTaken[index] }

    /// Stores a value and returns the number of its slot.
    @inlinable public mutating func insert(_ element: consuming Element) -> Int {
        if free.isEmpty { grow() }
        let index = free.removeLast()
        unsafe storage.initializeElement(at: index, to: element)
        isTaken[index] = true
        taken += 1
        return index
    }

    @usableFromInline mutating func grow() {
        let old = unsafe storage
        let capacity = old.count
        unsafe storage = .allocate(capacity: capacity * 2)
        for index in 0..<capacity {
            unsafe storage.initializeElement(at: index, to: old.moveElement(from: index))
        }
        isTaken.append(contentsOf: repeatElement(false, count: capacity))
        free.append(contentsOf: (capacity..<capacity * 2).reversed())
        unsafe old.deallocate()
    }

    /// Removes a value, which frees its slot.
    @inlinable public mutating func remove(_ index: Int) -> Element {
        precondition(isTaken[index], "the place is empty")
        isTaken[index] = false
        free.append(index)
        taken -= 1
        return unsafe storage.moveElement(from: index)
    }

    /// The value in a slot that is in use.
    public subscript(index: Int) -> Element {
        @inlinable _read {
            precondition(isTaken[index], "the place is empty")
            yield unsafe storage[index]
        }
        @inlinable _modify {
            precondition(isTaken[index], "the place is empty")
            yield unsafe &storage[index]
        }
    }
}
