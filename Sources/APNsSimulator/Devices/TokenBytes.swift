internal import Encoding

/// A device token as bytes: tokens that differ only in case are the same.
struct TokenBytes: Hashable, Sendable {
    // Four words instead of an array: a token of the current length allocates nothing.
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0
    private var fourth: UInt64 = 0
    private var rest: [UInt8] = []

    /// Parses at least 64 hexadecimal digits; nil for anything else or an odd number.
    init?(_ digits: ArraySlice<UInt8>) {
        guard RequestBytes.isDeviceToken(digits) else { return nil }
        self.init(judged: digits)
    }

    /// Parses digits that the judge has found to be a device token.
    init?(judged digits: ArraySlice<UInt8>) {
        guard digits.count >= 64, digits.count & 1 == 0 else { return nil }
        var index = digits.startIndex
        first = Self.word(digits, &index)
        second = Self.word(digits, &index)
        third = Self.word(digits, &index)
        fourth = Self.word(digits, &index)
        while index < digits.endIndex {
            rest.append(Self.digit(digits[index]) << 4 | Self.digit(digits[index + 1]))
            index += 2
        }
    }

    /// Parses a string of hexadecimal digits.
    init?(_ text: String) { self.init([UInt8](text.utf8)[...]) }

    /// The token in lower-case hexadecimal digits.
    var text: String {
        var digits: [UInt8] = []
        for word in [first, second, third, fourth] {
            for shift in stride(from: 56, through: 0, by: -8) {
                Hexadecimal.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)), to: &digits)
            }
        }
        for byte in rest { Hexadecimal.append(byte, to: &digits) }
        return String(decoding: digits, as: UTF8.self)
    }

    func hash(into hasher: inout Hasher) {
        // Combined into one word, because the hasher is slow for each.
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        hasher.combine(((first &* factor &+ second) &* factor &+ third) &* factor &+ fourth)
    }

    private static func word(_ digits: ArraySlice<UInt8>, _ index: inout Int) -> UInt64 {
        var word: UInt64 = 0
        for _ in 0..<16 {
            word = word << 4 | UInt64(digit(digits[index]))
            index += 1
        }
        return word
    }

    private static func digit(_ byte: UInt8) -> UInt8 {
        // Digits have bit 6 clear; letters of both cases have it set, and count from 1.
        byte & 0x40 == 0 ? byte & 0x0F : (byte & 0x0F) + 9
    }
}
