/// How much may be outstanding: records that were taken and are not done.
public struct InFlightWindow: Equatable, Sendable {
    /// The most records.
    public let maxRecords: Int
    /// The most bytes of key and value; one larger record may stand alone.
    public let maxBytes: Int
    /// Records taken and not done.
    public private(set) var records = 0
    /// Their bytes.
    public private(set) var bytes = 0

    /// An empty window.
    public init(maxRecords: Int, maxBytes: Int) {
        precondition(maxRecords > 0 && maxBytes > 0, "a window that is always full takes nothing")
        self.maxRecords = maxRecords
        self.maxBytes = maxBytes
    }

    /// How many more records may be taken now.
    public var room: Int {
        guard bytes < maxBytes else { return 0 }
        return max(0, maxRecords - records)
    }

    /// A record was taken.
    public mutating func open(bytes count: Int) {
        records += 1
        bytes += count
    }

    /// A record is done.
    public mutating func close(bytes count: Int) {
        precondition(records > 0 && bytes >= count, "more records were closed than opened")
        records -= 1
        bytes -= count
    }
}
