/// Iterates over the characters of valid UTF-8 without copying it.
enum TextScan {
    /// A character with its start and end.
    struct Found {
        var scalar: Unicode.Scalar
        var start: Int
        var end: Int

        var isSpace: Bool {
            scalar.isASCII
                ? scalar == " " || (0x09...0x0D).contains(scalar.value)
                : scalar.properties.isWhitespace
        }
    }

    static func isASCII(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        for index in start..<end where bytes[index] >= 0x80 { return false }
        return true
    }

    /// The character that begins at `start`; nil at the end.
    static func first(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Found? {
        guard start < end else { return nil }
        let lead = bytes[start]
        let length =
            switch lead {
            case ..<0x80: 1
            case ..<0xE0: 2
            case ..<0xF0: 3
            default: 4
            }
        guard start + length <= end else { return nil }
        var value = length == 1 ? UInt32(lead) : UInt32(lead) & (0x7F >> UInt32(length))
        for index in start + 1..<start + length { value = value << 6 | UInt32(bytes[index] & 0x3F) }
        guard let scalar = Unicode.Scalar(value) else { return nil }
        return Found(scalar: scalar, start: start, end: start + length)
    }

    /// The character that ends at `end`; nil at the start.
    static func last(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Found? {
        guard start < end else { return nil }
        var begin = end - 1
        while begin > start, bytes[begin] & 0xC0 == 0x80 { begin -= 1 }
        return first(bytes, begin, end)
    }
}
