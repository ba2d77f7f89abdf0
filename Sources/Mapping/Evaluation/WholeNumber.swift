internal import JSON

/// Numbers that languages without integers write with a fraction or an exponent: `5.0` is 5.
enum WholeNumber {
    /// The value of a number without a fraction that is not zero; nil for anything else, and for
    /// what does not fit in 64 bits.
    static func read(_ token: [UInt8]) -> Int64? {
        let isNegative = token.first == UInt8(ascii: "-")
        let size = isNegative ? Array(token.dropFirst()) : token
        guard let whole = EpochText.wholePart(of: size),
            JSONNumber.compare(size, Array(String(whole).utf8)) == 0
        else { return nil }
        return isNegative ? -whole : whole
    }

    /// Writes such a number without fraction and exponent; false if it already was, or is none.
    static func shorten(_ token: inout [UInt8]) -> Bool {
        guard token.contains(where: { $0 &- UInt8(ascii: "0") >= 10 && $0 != UInt8(ascii: "-") }),
            let number = read(token)
        else { return false }
        token = Array(String(number).utf8)
        return true
    }
}
