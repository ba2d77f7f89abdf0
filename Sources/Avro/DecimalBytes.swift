internal import Encoding

/// Decimal numbers as Avro stores them: whole numbers of the smallest unit, in two's complement.
enum DecimalBytes {
    /// The most digits: they take quadratic time.
    private static let digitLimit = 1200

    /// The bytes of a JSON number, as few as possible, the highest first; nil if it has more
    /// decimals than `scale`, or an exponent.
    static func of(_ token: String, scale: Int) -> [UInt8]? {
        let isNegative = token.utf8.first == UInt8(ascii: "-")
        let parts = token.utf8.drop { $0 == UInt8(ascii: "-") }
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2 else { return nil }
        var decimals = parts.count == 2 ? Array(parts[1]) : []
        while decimals.count > scale, decimals.last == UInt8(ascii: "0") { decimals.removeLast() }
        guard decimals.count <= scale, whole.count + scale <= digitLimit else { return nil }
        decimals += Array(repeating: UInt8(ascii: "0"), count: scale - decimals.count)
        // The lowest byte first.
        var bytes: [UInt8] = []
        for digit in Array(whole) + decimals {
            guard digit.isDigit else { return nil }
            var carry = UInt16(digit - UInt8(ascii: "0"))
            for index in bytes.indices {
                let product = UInt16(bytes[index]) * 10 + carry
                bytes[index] = UInt8(truncatingIfNeeded: product)
                carry = product >> 8
            }
            if carry > 0 { bytes.append(UInt8(carry)) }
        }
        bytes.append(0)
        if isNegative { negate(&bytes) }
        return shortened(Array(bytes.reversed()))
    }

    /// A number in exactly so many bytes; nil if it does not fit.
    static func extended(_ bytes: [UInt8], to count: Int) -> [UInt8]? {
        guard bytes.count <= count else { return nil }
        let sign: UInt8 = (bytes.first ?? 0) >= 0x80 ? 0xFF : 0
        return Array(repeating: sign, count: count - bytes.count) + bytes
    }

    private static func negate(_ bytes: inout [UInt8]) {
        var carry: UInt16 = 1
        for index in bytes.indices {
            let sum = UInt16(~bytes[index]) + carry
            bytes[index] = UInt8(truncatingIfNeeded: sum)
            carry = sum >> 8
        }
    }

    /// Without bytes that only repeat the sign.
    private static func shortened(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes[...]
        while bytes.count > 1, let first = bytes.first, let second = bytes.dropFirst().first,
            first == 0 && second < 0x80 || first == 0xFF && second >= 0x80
        {
            bytes.removeFirst()
        }
        return Array(bytes)
    }
}
