/// Checks that values are valid in the fields of a request.
enum FieldCheck {
    /// The most bytes that all values may have together; no push comes close.
    static let longest = 8192

    /// Whether a value is valid in a field; `length` is the sum of all of them.
    @inline(__always)
    static func isGood(_ value: [UInt8], _ length: inout Int) -> Bool {
        guard let first = value.first, let last = value.last else { return true }
        length += value.count
        return !isBlank(first) && !isBlank(last) && !hasControl(value)
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    /// Whether a value contains a control character; examines eight bytes at once.
    @inline(__always)
    private static func hasControl(_ value: [UInt8]) -> Bool {
        unsafe value.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            let count = bytes.count
            guard count >= 8 else { return unsafe bytes.contains(where: isControl) }
            var found: UInt64 = 0
            var place = 0
            while place + 8 <= count {
                let word = unsafe start.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                found |= controls(in: word)
                place += 8
            }
            // The last eight bytes, which may overlap those before.
            let last = unsafe start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            return (found | controls(in: last)) & highest != 0
        }
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highest: UInt64 = 0x8080_8080_8080_8080

    /// Sets the highest bit of at least one byte if one of them is a control character, and of none
    /// otherwise.
    private static func controls(in word: UInt64) -> UInt64 {
        let delete = word ^ (0x7F &* ones)
        return (word &- 0x20 &* ones) & ~word | (delete &- ones) & ~delete
    }
}
