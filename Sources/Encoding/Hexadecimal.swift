/// Bytes as hexadecimal digits.
public enum Hexadecimal {
    /// The lower-case digits of bytes, two per byte.
    public static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.count)
        for byte in bytes { append(byte, to: &digits) }
        return digits
    }

    /// Appends the two lower-case digits of a byte.
    public static func append(_ byte: UInt8, to digits: inout [UInt8]) {
        digits.append(digit(byte >> 4))
        digits.append(digit(byte & 15))
    }

    /// The value of a digit of either case; nil for any other character.
    public static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// True when all characters are digits of either case.
    public static func areDigits(_ text: Span<UInt8>) -> Bool {
        // Without an early exit, the loop compares many characters at once.
        var others: UInt8 = 0
        for index in text.indices {
            let character = text[index]
            let isDecimal: UInt8 = character &- UInt8(ascii: "0") < 10 ? 1 : 0
            let isLetter: UInt8 = (character | 0x20) &- UInt8(ascii: "a") < 6 ? 1 : 0
            others |= 1 &- (isDecimal | isLetter)
        }
        return others == 0
    }

    /// The lower-case digit of a value from 0 to 15.
    public static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}
