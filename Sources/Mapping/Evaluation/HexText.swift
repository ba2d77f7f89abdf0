/// Turns base64 into hexadecimal digits.
enum HexText {
    /// Appends the lower-case digits of a text; false when it is no base64.
    ///
    /// Both alphabets of RFC 4648 are taken, with padding or without. A text of 64 hexadecimal
    /// digits or more, and an even number of them, is a device token as it is, though it would be
    /// base64 as well.
    static func append(_ bytes: [UInt8], _ start: Int, _ end: Int, to out: inout [UInt8]) -> Bool {
        if end - start >= 64, (end - start) % 2 == 0, isHex(bytes, start, end) {
            for index in start..<end { out.append(bytes[index] | 0x20) }
            return true
        }
        var end = end
        let isWhole = (end - start) % 4 == 0
        var padding = 0
        while isWhole, padding < 2, end > start, bytes[end - 1] == UInt8(ascii: "=") {
            end -= 1
            padding += 1
        }
        var bits: UInt32 = 0
        var count = 0
        var hasOld = false
        var hasURL = false
        for index in start..<end {
            guard let value = value(bytes[index]) else { return false }
            hasOld =
                hasOld || bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "/")
            hasURL =
                hasURL || bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "_")
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                let byte = UInt8(truncatingIfNeeded: bits >> UInt32(count))
                out.append(digit(byte >> 4))
                out.append(digit(byte & 15))
            }
        }
        // One character alone holds no byte, and what is left over must be empty bits.
        return count != 6 && bits & ((1 << UInt32(count)) - 1) == 0 && !(hasOld && hasURL)
    }

    private static func isHex(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        bytes[start..<end].allSatisfy(FieldCheck.isHexDigit)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
