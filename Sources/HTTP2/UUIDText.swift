/// Parses UUIDs eight characters at a time: every response has one.
enum UUIDText {
    /// The number of a UUID in canonical form, upper or lower case; nil for anything else.
    static func number(_ text: UnsafeBufferPointer<UInt8>) -> UInt128? {
        guard text.count == 36, let start = text.baseAddress else { return nil }
        let bytes = unsafe UnsafeRawPointer(start)
        let dash = UInt8(ascii: "-")
        guard unsafe text[8] == dash, unsafe text[13] == dash, unsafe text[18] == dash,
            unsafe text[23] == dash
        else { return nil }
        let (one, two) = unsafe (word(bytes, 0, 4), word(bytes, 9, 14))
        let (three, four) = unsafe (word(bytes, 19, 24), word(bytes, 28, 32))
        guard areDigits(one), areDigits(two), areDigits(three), areDigits(four) else { return nil }
        let high = value(one) << 32 | value(two)
        let low = value(three) << 32 | value(four)
        return UInt128(high) << 64 | UInt128(low)
    }

    /// Two groups of four characters, the first character in the most significant byte.
    private static func word(_ bytes: UnsafeRawPointer, _ one: Int, _ other: Int) -> UInt64 {
        let first = unsafe bytes.loadUnaligned(fromByteOffset: one, as: UInt32.self)
        let second = unsafe bytes.loadUnaligned(fromByteOffset: other, as: UInt32.self)
        return UInt64(UInt32(bigEndian: first)) << 32 | UInt64(UInt32(bigEndian: second))
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// True when all eight characters are hexadecimal digits.
    private static func areDigits(_ word: UInt64) -> Bool {
        guard word & (0x80 &* ones) == 0 else { return false }
        // Each test sets the highest bit of every byte that is at least this value.
        func areAtLeast(_ byte: UInt8, _ word: UInt64) -> UInt64 {
            word &+ (0x80 &- UInt64(byte)) &* ones
        }
        let letters = word | 0x20 &* ones
        let isDigit =
            areAtLeast(UInt8(ascii: "0"), word) & ~areAtLeast(UInt8(ascii: "9") + 1, word)
        let isLetter =
            areAtLeast(UInt8(ascii: "a"), letters) & ~areAtLeast(UInt8(ascii: "f") + 1, letters)
        return (isDigit | isLetter) & (0x80 &* ones) == 0x80 &* ones
    }

    /// The value of eight hexadecimal digits.
    private static func value(_ word: UInt64) -> UInt64 {
        // A letter has bit 6 set, and its lowest four bits are nine less than its value.
        var value = (word & (0x0F &* ones)) &+ (word >> 6 & ones) &* 9
        value = (value | value >> 4) & 0x00FF_00FF_00FF_00FF
        value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
        return (value | value >> 16) & 0xFFFF_FFFF
    }
}
