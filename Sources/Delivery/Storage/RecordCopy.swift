/// A record copied into the memory of a ``RecordStore``, with room for data derived from it.
///
/// ``RecordStore/release(_:)`` frees it; until then its bytes do not move.
@safe public struct RecordCopy: ~Copyable {
    /// The assignment that the record was taken under.
    public let assignment: AssignmentID
    /// The original position of its event in Kafka.
    public let origin: RecordOrigin

    @usableFromInline let block: RecordBlock
    private let keyCount: Int32
    private let valueCount: Int32
    private let headerCount: UInt32
    private let keyStart: Int
    @usableFromInline var end: Int

    /// Marks null keys and values.
    private static let null: Int32 = -1

    /// Copies a record to the start of a sufficiently large block.
    init(
        _ record: borrowing Record, _ origin: consuming RecordOrigin, to block: RecordBlock,
        headers: UInt32, leavingOut prefix: StaticString?
    ) {
        assignment = record.assignment
        self.origin = origin
        self.block = block
        var writer = unsafe BlockWriter(start: block.start)
        headerCount = headers
        writer.writeHeaders(headers, of: record, leavingOut: prefix)
        keyCount = record.hasKey ? Int32(record.withKey { writer.append($0) }) : Self.null
        valueCount =
            record.hasValue ? Int32(record.withValue { writer.append($0) }) : Self.null
        end = writer.offset
        keyStart = end - Int(max(0, keyCount)) - Int(max(0, valueCount))
    }

    /// The memory that it occupies, in bytes.
    public var footprint: Int { block.size }
    /// True when it has headers.
    public var hasHeaders: Bool { headerCount > 0 }

    /// Appends bytes to the record, and returns their position.
    ///
    /// Inlined: an array would be retained for a call.
    @inlinable
    public mutating func append(_ bytes: RawSpan) -> UInt32 {
        let start = end
        precondition(bytes.byteCount <= block.size - start, "the block was made large enough")
        unsafe bytes.withUnsafeBytes { source in
            guard let address = source.baseAddress else { return }
            unsafe block.start.advanced(by: start)
                .copyMemory(from: address, byteCount: source.count)
        }
        end = start + bytes.byteCount
        return UInt32(start)
    }

    /// Appends an array, and returns its position.
    @inlinable
    public mutating func append(_ bytes: [UInt8]) -> UInt32 { append(unsafe bytes.span.bytes) }

    /// Calls `body` with appended bytes.
    @inlinable
    public func withBytes<Result, Failure: Error>(
        at start: UInt32, count: Int, _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(count >= 0 && Int(start) + count <= end, "bytes that were added")
        let bytes = unsafe UnsafeRawBufferPointer(
            start: block.start.advanced(by: Int(start)), count: count)
        return try body(unsafe bytes.bytes)
    }

    /// False when the record's key is null.
    public var hasKey: Bool { keyCount >= 0 }

    /// Calls `body` with the record's key; empty when it is null.
    public func withKey<Result>(_ body: (RawSpan) -> Result) -> Result {
        let key = unsafe bytes(keyStart, Int(max(0, keyCount)))
        return body(unsafe key.bytes)
    }

    /// Calls `body` with the original record.
    public func withRecord<Result>(_ body: (borrowing Record) -> Result) -> Result {
        let keyEnd = keyStart + Int(max(0, keyCount))
        let record = unsafe Record(
            assignment: assignment, topicPartition: origin.topicPartition, offset: origin.offset,
            timestamp: origin.timestamp,
            key: keyCount < 0 ? nil : bytes(keyStart, Int(keyCount)),
            value: valueCount < 0 ? nil : bytes(keyEnd, Int(valueCount)),
            owner: block.start, access: RecordAccess(release: { _ in }, header: headerInBlock))
        return body(record)
    }

    private func bytes(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: block.start.advanced(by: start), count: count)
    }
}
