/// The limit on outstanding records: those taken and not done.
public struct InFlightWindow: Equatable, Sendable {
    /// The most records.
    public let maxRecords: Int
    /// The most bytes of keys and values; a single larger record is allowed.
    public let maxBytes: Int
    /// The number of outstanding records.
    public private(set) var records = 0
    /// The bytes of their keys and values.
    public private(set) var bytes = 0

    /// The average size of recent records, in bytes.
    private var usualBytes: Int

    /// Creates an empty window.
    public init(maxRecords: Int, maxBytes: Int) {
        precondition(maxRecords > 0 && maxBytes > 0, "a window that is always full takes nothing")
        self.maxRecords = maxRecords
        self.maxBytes = maxBytes
        // Starts cautiously: the size of the records is not known yet.
        usualBytes = max(1, maxBytes / 64)
    }

    /// How many more records may be taken now.
    public var room: Int {
        guard bytes < maxBytes else { return 0 }
        return max(0, maxRecords - records)
    }

    /// How many to take at a time, so that records of the usual size stay within the byte limit.
    public var batch: Int {
        guard room > 0 else { return 0 }
        return min(room, max(1, (maxBytes - bytes) / usualBytes))
    }

    /// A record was taken.
    public mutating func open(bytes count: Int) {
        usualBytes = max(1, usualBytes + (count - usualBytes) / 8)
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
