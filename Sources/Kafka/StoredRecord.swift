/// A record copied from a topic.
public struct StoredRecord: Sendable {
    /// A header of the record; a nil value is a null one.
    public typealias Header = (name: String, value: [UInt8]?)

    /// Its partition.
    public var partition: Int32
    /// Its offset.
    public var offset: Int64
    /// Its timestamp, in milliseconds since 1970; nil when it has none.
    public var timestamp: Int64?
    /// True when a broker has set the timestamp, and not the record's writer.
    public var isLogAppendTime = false
    /// Its key; nil for none.
    public var key: [UInt8]?
    /// Its value; nil for a tombstone.
    public var value: [UInt8]?
    /// Its headers, in order.
    public var headers: [Header]

    /// Describes a record.
    public init(
        partition: Int32, offset: Int64, timestamp: Int64?, key: [UInt8]?, value: [UInt8]?,
        headers: [Header]
    ) {
        self.partition = partition
        self.offset = offset
        self.timestamp = timestamp
        self.key = key
        self.value = value
        self.headers = headers
    }

    /// The value of the last header with a name; nil when there is none or it is null.
    public func header(_ name: String) -> [UInt8]? {
        headers.last { $0.name == name }?.value
    }
}
