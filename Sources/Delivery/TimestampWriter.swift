/// Writes many times that lie close together: what it knows of the last second is used again.
public struct TimestampWriter: Sendable {
    private var second: Int64?
    private var text: [UInt8] = []

    /// Knows no second yet.
    public init() {}

    /// Appends `2026-01-01T10:00:00.123Z` for milliseconds since 1970.
    public mutating func append(milliseconds: Int64, to bytes: inout [UInt8]) {
        let (wanted, rest) = milliseconds.flooredDivision(by: 1000)
        if second != wanted {
            second = wanted
            text.removeAll(keepingCapacity: true)
            Timestamp.append(milliseconds: wanted * 1000, to: &text)
            text.removeLast(4)
        }
        bytes.append(contentsOf: text)
        bytes.append(UInt8(ascii: "0") + UInt8(rest / 100))
        bytes.append(UInt8(ascii: "0") + UInt8(rest / 10 % 10))
        bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
        bytes.append(UInt8(ascii: "Z"))
    }
}
