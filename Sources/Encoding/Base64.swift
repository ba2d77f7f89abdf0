/// Base64 as RFC 4648 defines it, in one of its two alphabets.
///
/// Decoding is strict: only the output of encoding is accepted.
public struct Base64: Sendable {
    /// The alphabet with `+` and `/`, padded (part 4).
    public static let standard = Base64(last: "+/", isPadded: true)
    /// The alphabet with `-` and `_`, without padding, as in JSON Web Tokens (part 5).
    public static let url = Base64(last: "-_", isPadded: false)

    private static let padding = UInt8(ascii: "=")

    private let alphabet: [UInt8]
    private let isPadded: Bool

    private init(last: String, isPadded: Bool) {
        let first = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        alphabet = Array((first + last).utf8)
        self.isPadded = isPadded
    }

    /// Encodes bytes.
    public func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> count & 63)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 63)]) }
        while isPadded, text.count % 4 != 0 { text.append(Self.padding) }
        return text
    }

    /// Decodes characters; nil if they are not exactly what ``encode(_:)`` returns.
    public func decode(_ text: [UInt8]) -> [UInt8]? {
        var text = text
        return decode(inPlace: &text) ? text : nil
    }

    /// Replaces characters by the decoded bytes; false if they are not exactly what ``encode(_:)``
    /// returns.
    public func decode(inPlace text: inout [UInt8]) -> Bool {
        var end = text.count
        if isPadded {
            guard end % 4 == 0 else { return false }
            while end > 0, text.count - end < 2, text[end - 1] == Self.padding { end -= 1 }
        }
        var sextets = Sextets()
        var written = 0
        for index in 0..<end {
            guard let value = value(of: text[index]) else { return false }
            guard let byte = sextets.append(value) else { continue }
            text[written] = byte
            written += 1
        }
        text.removeLast(text.count - written)
        return sextets.isComplete
    }

    /// True for characters that encode at least one byte, whether or not they have their padding.
    public func isText(_ text: [UInt8]) -> Bool {
        let digits = text.prefix { value(of: $0) != nil }
        let padding = text[digits.count...]
        guard !digits.isEmpty, digits.count % 4 != 1, padding.count <= 2 else { return false }
        return padding.isEmpty
            || text.count % 4 == 0 && padding.allSatisfy { $0 == Self.padding }
    }

    /// The value of a character, 0 to 63; nil when it is not in the alphabet.
    public func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case alphabet[62]: 62
        case alphabet[63]: 63
        default: nil
        }
    }

    /// The character of a value from 0 to 63.
    public func character(of value: UInt8) -> UInt8 { alphabet[Int(value & 63)] }

    /// Combines the values of characters into bytes.
    public struct Sextets: Sendable {
        private var bits: UInt32 = 0
        private var count: UInt32 = 0

        /// Starts without any bits.
        public init() {}

        /// Adds the value of a character; returns the byte that it completes, if it does.
        public mutating func append(_ value: UInt8) -> UInt8? {
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { return nil }
            count -= 8
            return UInt8(truncatingIfNeeded: bits >> count)
        }

        /// True when the characters encode whole bytes, followed only by zero bits.
        public var isComplete: Bool { count != 6 && bits & (1 << count - 1) == 0 }
    }
}
