/// A record that was copied into memory of a ``RecordStore``, with room for what was made of it.
///
/// It is returned by ``RecordStore/release(_:)``; until then its bytes stay where they are.
@safe public struct RecordCopy: ~Copyable {
    /// The assignment that the record was taken under.
    public let assignment: AssignmentID
    /// Where its event stands in Kafka.
    public let origin: RecordOrigin

    @usableFromInline let block: RecordBlock
    private let keyCount: Int32
    private let valueCount: Int32
    private let headerCount: UInt32
    private let keyStart: Int
    @usableFromInline private(set) var end: Int

    /// Null keys and values.
    private static let null: Int32 = -1

    /// Copies a record to the start of a block that is large enough.
    init(
        _ record: borrowing Record, _ origin: RecordOrigin, to block: RecordBlock,
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

    /// The bytes of memory that it takes.
    public var footprint: Int { block.size }
    /// True when it has headers.
    public var hasHeaders: Bool { headerCount > 0 }

    /// Adds bytes behind the record, and returns where they stand.
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

    /// Adds the bytes of an array, and returns where they stand.
    public mutating func append(_ bytes: [UInt8]) -> UInt32 { append(unsafe bytes.span.bytes) }

    /// Lends bytes that were added.
    @inlinable @inline(__always)
    public func withBytes<Result, Failure: Error>(
        at start: UInt32, count: Int, _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(count >= 0 && Int(start) + count <= end, "bytes that were added")
        let bytes = unsafe UnsafeRawBufferPointer(
            start: block.start.advanced(by: Int(start)), count: count)
        return try body(unsafe bytes.bytes)
    }

    /// True unless the record's key is null.
    public var hasKey: Bool { keyCount >= 0 }

    /// Lends the record's key; nothing for one that is null.
    public func withKey<Result>(_ body: (RawSpan) -> Result) -> Result {
        let key = unsafe bytes(keyStart, Int(max(0, keyCount)))
        return body(unsafe key.bytes)
    }

    /// Lends the record as it came.
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
