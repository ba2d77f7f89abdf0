/// Separately allocated memory for one value that cannot be copied.
///
/// Unlike a stored property of a class, it is accessed without exclusivity checks. So no code may
/// access the value while other code changes it.
@safe public struct Cell<Value: ~Copyable>: ~Copyable {
    @usableFromInline let pointer: UnsafeMutablePointer<Value>

    /// Stores a value.
    public init(_ value: consuming Value) {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: value)
    }

    deinit {
        unsafe pointer.deinitialize(count: 1)
        unsafe pointer.deallocate()
    }

    /// The value.
    public var value: Value {
        @inlinable _read { yield unsafe pointer.pointee }
        @inlinable nonmutating _modify { yield unsafe &pointer.pointee }
    }
}
