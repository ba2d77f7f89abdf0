/// The exact values of number tokens: no token is too large or too precise.
public enum JSONNumber {
    /// The value of a token without fraction and exponent, if it fits.
    static func integer(_ token: UnsafeRawBufferPointer) -> Int64? {
        var magnitude: UInt64 = 0
        let isNegative = unsafe token.first == UInt8(ascii: "-")
        // 18 digits always fit.
        let quick = isNegative ? 0 : min(token.count, 18)
        for index in 0..<quick {
            let digit = unsafe token[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            magnitude = magnitude &* 10 &+ UInt64(digit)
        }
        for index in max(quick, isNegative ? 1 : 0)..<token.count {
            let digit = unsafe token[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (product, over) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            guard !over, !carry else { return nil }
            magnitude = sum
        }
        if isNegative {
            return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
        }
        return Int64(exactly: magnitude)
    }

    /// The value of the token in a part of an array, without fraction and exponent, if it fits.
    public static func integer(_ bytes: [UInt8], from start: Int, to end: Int) -> Int64? {
        guard start < end else { return nil }
        return unsafe bytes.withUnsafeBytes {
            unsafe integer(UnsafeRawBufferPointer(rebasing: $0[start..<end]))
        }
    }

    /// Compares two number tokens by value: negative, zero or positive, as `left - right`.
    public static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        unsafe left.withUnsafeBytes { left in
            unsafe right.withUnsafeBytes { unsafe compare(left, $0) }
        }
    }

    /// Compares a number token by value with a part of an array.
    public static func compare(
        _ left: [UInt8], _ right: [UInt8], from start: Int, to end: Int
    ) -> Int {
        unsafe left.withUnsafeBytes { left in
            unsafe right.withUnsafeBytes {
                unsafe compare(left, UnsafeRawBufferPointer(rebasing: $0[start..<end]))
            }
        }
    }

    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let a = unsafe Decimal(left)
        let b = unsafe Decimal(right)
        guard a.sign == b.sign else { return a.sign - b.sign }
        guard a.sign != 0 else { return 0 }
        return a.sign * compareMagnitudes(a, b)
    }

    private static func compareMagnitudes(_ a: Decimal, _ b: Decimal) -> Int {
        guard a.exponent == b.exponent else {
            return a.exponent < b.exponent ? -1 : 1
        }
        var left = a
        var right = b
        while true {
            let (first, second) = (left.nextDigit(), right.nextDigit())
            if first == nil, second == nil { return 0 }
            let difference = Int(first ?? 0) - Int(second ?? 0)
            if difference != 0 { return difference }
        }
    }

    /// A token as sign, digits from the first nonzero one, and exponent.
    @safe private struct Decimal {
        /// -1, 0 or 1.
        var sign = 0
        /// The absolute value is less than 10 to this power, and at least a tenth of that.
        var exponent = 0
        private let token: UnsafeRawBufferPointer
        private let end: Int
        private var index: Int

        init(_ token: UnsafeRawBufferPointer) {
            unsafe self.token = unsafe token
            end = token.count
            index = end
            var whole = 0
            var zeros = 0
            var isFraction = false
            var first: Int?
            var position = 0
            scan: while position < token.count {
                switch unsafe token[position] {
                case UInt8(ascii: "."): isFraction = true
                case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
                case UInt8(ascii: "0") where first == nil: if isFraction { zeros += 1 }
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    if first == nil { first = position }
                    if !isFraction { whole += 1 }
                default: break
                }
                position += 1
            }
            guard let first else { return }
            index = first
            sign = unsafe token[0] == UInt8(ascii: "-") ? -1 : 1
            let written = unsafe Self.writtenExponent(token, from: position + 1)
            exponent = (whole > 0 ? whole : -zeros) + written
        }

        /// The exponent, clamped so that adding it cannot overflow.
        private static func writtenExponent(_ token: UnsafeRawBufferPointer, from: Int) -> Int {
            guard from < token.count else { return 0 }
            var value = 0
            for index in from..<token.count {
                let digit = unsafe token[index] &- UInt8(ascii: "0")
                if digit < 10 { value = min(value * 10 + Int(digit), Int.max / 100) }
            }
            return unsafe token[from] == UInt8(ascii: "-") ? -value : value
        }

        mutating func nextDigit() -> UInt8? {
            if index < end, unsafe token[index] == UInt8(ascii: ".") { index += 1 }
            guard index < end else { return nil }
            let digit = unsafe token[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            index += 1
            return digit
        }
    }
}
