internal import JSON

/// Follows the boundaries of TLS records in a provider's bytes, to know whether the last record is
/// complete: a type, a version and a length, and then so many bytes.
struct RecordBoundary {
    /// The first record may be a hello in the form of SSL 2, which old libraries send even for TLS
    /// 1.2: a length of 15 bits, and then so many bytes.
    private var isFirst = true
    /// The bytes of the header so far.
    private var header: [UInt8] = []
    /// The bytes of the body that are missing.
    private var missing = 0

    /// A record has begun, and its end has not come.
    var isInside: Bool { !header.isEmpty || missing > 0 }

    /// Follows bytes; true when a record ended among them.
    mutating func follow(_ bytes: RawSpan) -> Bool {
        var hasEnded = false
        var offset = 0
        while offset < bytes.byteCount {
            if missing > 0 {
                let count = min(missing, bytes.byteCount - offset)
                missing -= count
                offset += count
            } else {
                header.append(bytes.byte(at: offset))
                offset += 1
                guard let length else { continue }
                missing = length
                header.removeAll(keepingCapacity: true)
                isFirst = false
            }
            if missing == 0 { hasEnded = true }
        }
        return hasEnded
    }

    /// The length of the body; nil before the header is complete.
    private var length: Int? {
        if isFirst, header.count == 2, header[0] >= 0x80 {
            return Int(header[0] & 0x7F) << 8 | Int(header[1])
        }
        return header.count == 5 ? Int(header[3]) << 8 | Int(header[4]) : nil
    }
}
