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

    /// What a record takes, in bytes, as the last ones did.
    private var usualBytes: Int

    /// An empty window.
    public init(maxRecords: Int, maxBytes: Int) {
        precondition(maxRecords > 0 && maxBytes > 0, "a window that is always full takes nothing")
        self.maxRecords = maxRecords
        self.maxBytes = maxBytes
        // Cautious at first: nobody knows yet how large the records are.
        usualBytes = max(1, maxBytes / 64)
    }

    /// How many more records may be taken now.
    public var room: Int {
        guard bytes < maxBytes else { return 0 }
        return max(0, maxRecords - records)
    }

    /// How many may be taken at a time, so that records of the usual size stay within the bytes.
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
