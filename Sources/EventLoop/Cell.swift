/// Memory of its own for one value that cannot be copied.
///
/// A class that holds its value in one is not asked at each access whether another one goes on. So
/// nobody may reach the value while somebody else changes it.
@safe public struct Cell<Value: ~Copyable>: ~Copyable {
    @usableFromInline let place: UnsafeMutablePointer<Value>

    /// Keeps a value.
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
