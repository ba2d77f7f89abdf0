/// One consumed record, whose bytes stay in its source's memory for as long as it lives.
///
/// Key, value and headers are borrowed, never copied: to keep a record, copy it into a
/// ``RecordStore``. ``hasKey`` and ``hasValue`` distinguish a null key or value from an empty one.
@safe public struct Record: ~Copyable {
    /// The ID of the assignment that it was read under.
    public let assignment: AssignmentID
    /// The partition of the record.
    public let topicPartition: TopicPartition
    /// The offset of the record in its partition.
    public let offset: Int64
    /// The record's timestamp, in milliseconds since 1970, if Kafka has one; a time outside the
    /// calendar counts as unknown.
    public let timestamp: Int64?
    /// True when a broker has set the timestamp, and not the record's writer.
    public let isLogAppendTime: Bool
    /// The broker's time, if it is of a topic with LogAppendTime and came while its source waited
    /// at the end of the log.
    public let appended: AppendTime?

    private let key: UnsafeRawBufferPointer?
    private let value: UnsafeRawBufferPointer?
    private let owner: UnsafeMutableRawPointer
    private let access: RecordAccess

    /// The last millisecond of the year 9999: RFC 3339 cannot express a later one.
    private static let lastTime: Int64 = 253_402_300_799_999

    /// Takes ownership of `owner`, which `access.release` frees.
    ///
    /// - Safety: `key` and `value` must stay valid until `access.release(owner)` is called.
    @unsafe public init(
        assignment: AssignmentID, topicPartition: TopicPartition, offset: Int64, timestamp: Int64?,
        key: UnsafeRawBufferPointer?, value: UnsafeRawBufferPointer?,
        owner: UnsafeMutableRawPointer, access: RecordAccess, appended: AppendTime? = nil,
        isLogAppendTime: Bool = false
    ) {
        self.appended = appended
        self.isLogAppendTime = isLogAppendTime
        self.assignment = assignment
        self.topicPartition = topicPartition
        self.offset = offset
        self.timestamp = timestamp.flatMap { (0...Self.lastTime).contains($0) ? $0 : nil }
        unsafe self.key = unsafe key
        unsafe self.value = unsafe value
        unsafe self.owner = unsafe owner
        unsafe self.access = unsafe access
    }

    deinit { unsafe access.release(owner) }

    /// False for a record without a key.
    public var hasKey: Bool { unsafe key != nil }
    /// False for a tombstone.
    public var hasValue: Bool { unsafe value != nil }
    /// True when it has headers. Its source is asked each time, and librdkafka needs as long for
    /// the response as for copying a record.
    public var hasHeaders: Bool { unsafe access.header(owner, 0) != nil }
    /// The size of key and value together, in bytes.
    public var byteCount: Int { unsafe (key?.count ?? 0) + (value?.count ?? 0) }

    /// Calls `body` with the key's bytes; empty for a null key.
    public func withKey<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe (key ?? UnsafeRawBufferPointer(start: nil, count: 0)).bytes)
    }

    /// Calls `body` with the value's bytes; empty for a null value.
    public func withValue<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe (value ?? UnsafeRawBufferPointer(start: nil, count: 0)).bytes)
    }

    /// A copy of the key; nil for a null one.
    public func copyKey() -> [UInt8]? { unsafe key.map { unsafe [UInt8]($0) } }

    /// A copy of the value; nil for a null one.
    public func copyValue() -> [UInt8]? { unsafe value.map { unsafe [UInt8]($0) } }

    /// A copy of the headers, in order.
    public borrowing func copyHeaders() -> [ResultRecord.Header] {
        var headers: [ResultRecord.Header] = []
        var index = 0
        while let header = unsafe access.header(owner, index) {
            let name = unsafe HeaderName.text(header.name)
            headers.append((name, unsafe header.value.map { unsafe [UInt8]($0) }))
            index += 1
        }
        return headers
    }

    /// A copy of the last header with that name; nil when there is none or it is null.
    public func copyHeader(_ name: StaticString) -> [UInt8]? {
        var index = 0
        var found: [UInt8]?
        while let header = unsafe access.header(owner, index) {
            let wanted = unsafe UnsafeRawBufferPointer(
                start: name.utf8Start, count: name.utf8CodeUnitCount)
            if unsafe header.name.elementsEqual(wanted) {
                found = unsafe header.value.map { unsafe [UInt8]($0) }
            }
            index += 1
        }
        return found
    }

    /// Adds the key to a hash; returns false when it is null.
    public func addKey(to hash: inout TextHash) -> Bool {
        guard let key = unsafe key else { return false }
        hash.add(unsafe key.bytes)
        return true
    }

    /// Calls `body` with each header in order: name, value, and whether the value is null.
    public func forEachHeader(_ body: (_ name: RawSpan, _ value: RawSpan, _ isNull: Bool) -> Void) {
        var index = 0
        while let header = unsafe access.header(owner, index) {
            let value = unsafe header.value ?? UnsafeRawBufferPointer(start: nil, count: 0)
            body(unsafe header.name.bytes, unsafe value.bytes, unsafe header.value == nil)
            index += 1
        }
    }
}

/// How a ``Record`` uses the memory that its source owns.
@unsafe public struct RecordAccess {
    /// Frees the memory.
    public var release: (UnsafeMutableRawPointer) -> Void
    /// The header at an index; nil past the last one.
    public var header: (UnsafeMutableRawPointer, Int) -> RecordHeader?

    /// Creates a value from the two functions.
    public init(
        release: @escaping (UnsafeMutableRawPointer) -> Void,
        header: @escaping (UnsafeMutableRawPointer, Int) -> RecordHeader?
    ) {
        unsafe self.release = unsafe release
        unsafe self.header = unsafe header
    }
}

/// A header of a record, still in its source's memory.
@unsafe public struct RecordHeader {
    /// The header's name in UTF-8.
    public var name: UnsafeRawBufferPointer
    /// The header's value; nil when it is null.
    public var value: UnsafeRawBufferPointer?

    /// Creates a header that refers to borrowed memory.
    public init(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?) {
        unsafe self.name = unsafe name
        unsafe self.value = unsafe value
    }
}

/// What a broker's clock said when it stored a record for which a source had waited at the end of
/// its log.
public struct AppendTime: Equatable, Sendable, BitwiseCopyable {
    /// The time of the record, in milliseconds since 1970.
    public var time: Int64
    /// When the log did not have the record yet.
    public var notBefore: Instant

    /// Describes a time.
    public init(time: Int64, notBefore: Instant) {
        self.time = time
        self.notBefore = notBefore
    }
}
