/// Checks that values are valid in the fields of a request.
enum HeaderFieldCheck {
    /// The most bytes that all values may have together; no push comes close.
    static let maxLength = 8192

    /// Whether a value is valid in a field; `length` is the sum of all of them.
    static func isGood(_ value: [UInt8], _ length: inout Int) -> Bool {
        guard let first = value.first, let last = value.last else { return true }
        length += value.count
        return !isBlank(first) && !isBlank(last) && !hasControl(value)
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    /// Whether a value contains a control character. Without an early exit, the loop compares many
    /// characters at once.
    private static func hasControl(_ value: [UInt8]) -> Bool {
        let bytes = value.span
        var found: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            let isLow: UInt8 = byte < 0x20 ? 1 : 0
            let isDelete: UInt8 = byte == 0x7F ? 1 : 0
            found |= isLow | isDelete
        }
        return found != 0
    }
}
