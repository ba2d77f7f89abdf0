internal import CNGHTTP2

/// The fields of a request in order, stored contiguously.
///
/// An emptied list keeps its memory, so that the next request's fields allocate nothing. Reading a
/// field as arrays copies it; ``value(of:)`` shares the list's memory.
public struct FieldList: RandomAccessCollection, Sendable {
    /// The position of a field's bytes.
    @usableFromInline struct Position: BitwiseCopyable, Sendable {
        @usableFromInline var start: UInt32
        @usableFromInline var middle: UInt32
        @usableFromInline var end: UInt32
    }

    /// Names and values up to ``used``, followed by spare room.
    @usableFromInline private(set) var bytes: [UInt8] = []
    private var used = 0
    @usableFromInline private(set) var positions: [Position] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list of these fields, in order.
    public init(_ fields: [(name: [UInt8], value: [UInt8])]) {
        for field in fields { append(field.name, field.value) }
    }

    /// The position of the first field.
    @inlinable public var startIndex: Int { 0 }
    /// The position after the last field.
    @inlinable public var endIndex: Int { positions.count }

    /// A copy of one field.
    public subscript(position: Int) -> (name: [UInt8], value: [UInt8]) {
        let position = positions[position]
        return (
            [UInt8](bytes[Int(position.start)..<Int(position.middle)]),
            [UInt8](bytes[Int(position.middle)..<Int(position.end)])
        )
    }

    /// Appends a field; all fields together may have at most 4 GB.
    public mutating func append(_ name: [UInt8], _ value: [UInt8]) {
        unsafe name.withUnsafeBufferPointer { name in
            unsafe value.withUnsafeBufferPointer { value in unsafe append(name, value) }
        }
    }

    mutating func append(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) {
        let middle = used + name.count
        let end = middle + value.count
        if end > bytes.count { makeRoom(end) }
        unsafe bytes.withUnsafeMutableBytes { room in
            unsafe Self.copy(name, to: room, at: used)
            unsafe Self.copy(value, to: room, at: middle)
        }
        positions.append(Position(start: UInt32(used), middle: UInt32(middle), end: UInt32(end)))
        used = end
    }

    private static func copy(
        _ source: UnsafeBufferPointer<UInt8>, to room: UnsafeMutableRawBufferPointer,
        at position: Int
    ) {
        guard let start = source.baseAddress, let target = room.baseAddress else { return }
        unsafe (target + position).copyMemory(from: start, byteCount: source.count)
    }

    private mutating func makeRoom(_ needed: Int) {
        let size = Swift.max(needed, 2 * bytes.count, 512)
        bytes += [UInt8](repeating: 0, count: size - bytes.count)
    }

    /// The range of a field's name among all bytes.
    @inlinable public func nameRange(of position: Int) -> Range<Int> {
        let position = positions[position]
        return Int(position.start)..<Int(position.middle)
    }

    /// The range of a field's value among all bytes.
    @inlinable public func valueRange(of position: Int) -> Range<Int> {
        let position = positions[position]
        return Int(position.middle)..<Int(position.end)
    }

    /// The value of a field, in the list's memory.
    @inlinable public func value(of position: Int) -> ArraySlice<UInt8> {
        bytes[valueRange(of: position)]
    }

    /// A byte of the names and values.
    @inlinable public func byte(at position: Int) -> UInt8 { bytes[position] }

    /// A range of the names' and values' bytes, in the list's memory.
    @inlinable public func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    /// Whether a range of bytes equals another array.
    public func bytes(_ range: Range<Int>, are other: [UInt8]) -> Bool {
        guard range.count == other.count else { return false }
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return true }
            return unsafe apns_bytes_equal(other, start + range.lowerBound, other.count) != 0
        }
    }

    /// Whether a range of bytes equals a constant string.
    public func bytes(_ range: Range<Int>, areASCII text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return true }
            return unsafe apns_bytes_equal(
                text.utf8Start, start + range.lowerBound, range.count) != 0
        }
    }

    /// Calls `body` with all names and values, contiguously.
    public func withBytes(_ body: (RawSpan) -> Void) {
        unsafe body(bytes.span.bytes.extracting(0..<used))
    }

    /// Removes all fields, keeping the memory.
    mutating func removeAll() {
        used = 0
        positions.removeAll(keepingCapacity: true)
    }

    /// The approximate number of bytes of memory it retains.
    var capacity: Int { bytes.count + positions.capacity * MemoryLayout<Position>.stride }
}
