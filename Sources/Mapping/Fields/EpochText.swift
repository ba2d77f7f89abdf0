internal import Encoding

/// Parses numbers that count time.
enum EpochText {
    /// The digits that decide the value of a number: those before its point, after its exponent is
    /// applied. Nil for anything else, and for numbers that are negative or exceed 64 bits.
    static func wholePart(of bytes: [UInt8]) -> Int64? {
        var index = 0
        let whole = skipDigits(bytes, &index)
        guard whole > 0 else { return nil }
        var digits = whole
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            let fraction = skipDigits(bytes, &index)
            guard fraction > 0 else { return nil }
            digits += fraction
        }
        guard let exponent = exponent(bytes, from: index) else { return nil }
        var value: Int64 = 0
        for position in 0..<max(0, whole + exponent) {
            // Skips the decimal point; missing digits count as zeros.
            let index = position < whole ? position : position + 1
            if position >= digits, value == 0 { return 0 }
            let digit = position < digits ? Int64(bytes[index] - UInt8(ascii: "0")) : 0
            let (product, isOver) = value.multipliedReportingOverflow(by: 10)
            let (sum, isCarried) = product.addingReportingOverflow(digit)
            guard !isOver, !isCarried else { return nil }
            value = sum
        }
        return value
    }

    private static func skipDigits(_ bytes: [UInt8], _ index: inout Int) -> Int {
        let start = index
        while index < bytes.count, bytes[index].isDigit { index += 1 }
        return index - start
    }

    /// The exponent that ends the bytes, 0 if there is none; nil for anything else.
    private static func exponent(_ bytes: [UInt8], from start: Int) -> Int? {
        guard start < bytes.count else { return 0 }
        var index = start + 1
        guard bytes[start] | 0x20 == UInt8(ascii: "e"), index < bytes.count else { return nil }
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
        let first = index
        guard skipDigits(bytes, &index) > 0, index == bytes.count else { return nil }
        var value = 0
        // Farther than the length of any event; a larger exponent makes no difference.
        for byte in bytes[first...] { value = min(value * 10 + Int(byte & 0x0F), 1 << 21) }
        return isNegative ? -value : value
    }
}
