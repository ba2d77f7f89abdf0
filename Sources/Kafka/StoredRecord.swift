/// One record as it stands in a topic, copied out of it.
public struct StoredRecord: Sendable {
    /// A header of the record; a nil value is a null one.
    public typealias Header = (name: String, value: [UInt8]?)

    /// The partition that it is in.
    public var partition: Int32
    /// Its offset there.
    public var offset: Int64
    /// When it was made, in milliseconds since 1970; nil when Kafka does not know.
    public var timestamp: Int64?
    /// Its key; nil for none.
    public var key: [UInt8]?
    /// Its value; nil for a tombstone.
    public var value: [UInt8]?
    /// Its headers, in order.
    public var headers: [Header]

    /// The value of the last header of a name; nil when there is none or it is null.
    public func header(_ name: String) -> [UInt8]? {
        headers.last { $0.name == name }?.value
    }
}
