/// Numbered places for values that cannot be copied; a place that was left is used again.
@safe public struct Slab<Element: ~Copyable>: ~Copyable {
    @usableFromInline var places: UnsafeMutableBufferPointer<Element>
    @usableFromInline var isTaken: [Bool]
    @usableFromInline var free: [Int] = []
    /// How many places are taken.
    @inlinable public var count: Int { taken }
    @usableFromInline var taken = 0

    /// An empty slab with room for `capacity` values; it grows when that is not enough.
    public init(capacity: Int) {
        let capacity = max(1, capacity)
        unsafe places = .allocate(capacity: capacity)
        isTaken = Array(repeating: false, count: capacity)
        free = Array((0..<capacity).reversed())
    }

    deinit {
        for index in isTaken.indices where isTaken[index] {
            unsafe places.deinitializeElement(at: index)
        }
        unsafe places.deallocate()
    }

    /// The numbers of all places, taken or not.
    public var slotRange: Range<Int> { isTaken.indices }

    /// True when a value is kept at a place.
    public func isTaken(_ index: Int) -> Bool { isTaken[index] }

    /// Keeps a value and returns the number of its place.
    @inlinable public mutating func insert(_ element: consuming Element) -> Int {
        if free.isEmpty { grow() }
        let index = free.removeLast()
        unsafe places.initializeElement(at: index, to: element)
        isTaken[index] = true
        taken += 1
        return index
    }

    @usableFromInline mutating func grow() {
        let old = unsafe places
        let capacity = old.count
        unsafe places = .allocate(capacity: capacity * 2)
        for index in 0..<capacity {
            unsafe places.initializeElement(at: index, to: old.moveElement(from: index))
        }
        isTaken.append(contentsOf: repeatElement(false, count: capacity))
        free.append(contentsOf: (capacity..<capacity * 2).reversed())
        unsafe old.deallocate()
    }

    /// Takes a value out, which frees its place.
    @inlinable public mutating func remove(_ index: Int) -> Element {
        precondition(isTaken[index], "the place is empty")
        isTaken[index] = false
        free.append(index)
        taken -= 1
        return unsafe places.moveElement(from: index)
    }

    /// Lends the value of a taken place.
    public subscript(index: Int) -> Element {
        @inlinable _read {
            precondition(isTaken[index], "the place is empty")
            yield unsafe places[index]
        }
        @inlinable _modify {
            precondition(isTaken[index], "the place is empty")
            yield unsafe &places[index]
        }
    }
}
