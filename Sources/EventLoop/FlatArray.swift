/// An array that is never copied: a change to one of its elements needs no check that it has no
/// other owner.
@safe public struct FlatArray<Element>: ~Copyable {
    @usableFromInline var storage: UnsafeMutablePointer<Element>
    private var capacity: Int
    /// The number of elements.
    public private(set) var count = 0

    /// Creates an empty array with room for `capacity` elements; it grows on demand.
    public init(capacity: Int) {
        self.capacity = max(1, capacity)
        unsafe storage = .allocate(capacity: self.capacity)
    }

    deinit {
        unsafe storage.deinitialize(count: count)
        unsafe storage.deallocate()
    }

    /// The indices of all elements.
    public var indices: Range<Int> { 0..<count }

    /// Adds an element.
    public mutating func append(_ element: Element) {
        if count == capacity { grow() }
        unsafe (storage + count).initialize(to: element)
        count += 1
    }

    private mutating func grow() {
        capacity *= 2
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        unsafe larger.moveInitialize(from: storage, count: count)
        unsafe storage.deallocate()
        unsafe storage = unsafe larger
    }

    /// The element at an index.
    public subscript(index: Int) -> Element {
        @inlinable _read {
            precondition(index >= 0 && index < count, "an index of an element")
            yield unsafe storage[index]
        }
        @inlinable _modify {
            precondition(index >= 0 && index < count, "an index of an element")
            yield unsafe &storage[index]
        }
    }
}
