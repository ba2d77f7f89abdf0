/// Base64 as RFC 4648 writes it, with padding and without line breaks.
enum Base64 {
    /// Replaces a text by the bytes that it encodes; false when it is no base64.
    static func decode(_ text: inout [UInt8]) -> Bool {
        guard text.count % 4 == 0 else { return false }
        var count = text.count
        while count > text.count - 2, count > 0, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
        var bits: UInt32 = 0
        var bitCount = 0
        var end = 0
        for index in 0..<count {
            guard let value = value(of: text[index]) else { return false }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            text[end] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
            end += 1
        }
        text.removeLast(text.count - end)
        return true
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
