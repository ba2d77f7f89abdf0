/// Separately allocated memory for one value that cannot be copied.
///
/// Unlike a stored property of a class, it is accessed without exclusivity checks. So no code may
/// access the value while other code changes it.
@safe public struct Cell<Value: ~Copyable>: ~Copyable {
    @usableFromInline let place: UnsafeMutablePointer<Value>

    /// Stores a value.
    public init(_ value: consuming Value) {
        unsafe place = .allocate(capacity: 1)
        unsafe place.initialize(to: value)
    }

    deinit {
        unsafe place.deinitialize(count: 1)
        unsafe place.deallocate()
    }

    /// The value.
    public var value: Value {
        @inlinable @inline(__always) _read { yield unsafe place.pointee }
        @inlinable @inline(__always) nonmutating _modify { yield unsafe &place.pointee }
    }
}
