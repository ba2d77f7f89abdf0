/// Calls `write` with the characters of an integer in decimal, from left to right: a minus sign if
/// it is negative, then its digits.
@inline(__always)
func writeDecimal<Value: FixedWidthInteger>(_ value: Value, _ write: (UInt8) -> Void) {
    if value < 0 { write(UInt8(ascii: "-")) }
    var rest = UInt64(value.magnitude)
    var digits: InlineArray<20, UInt8> = .init(repeating: 0)
    var first = 20
    repeat {
        first -= 1
        digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
    } while rest != 0
    for index in first..<20 { write(digits[index]) }
}

/// The values of the eight digits of a number below 10^8, the first of them in the lowest byte.
@inlinable @inline(__always)
func eightDigits(_ number: UInt64) -> UInt64 {
    // Two groups of four digits become four of two, and then eight digits: the factors divide
    // exactly by 100 and by 10 in that range.
    let fours = number / 10_000 | (number % 10_000) &<< 32
    let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = (twos &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (twos &- tens &* 10) &<< 8
}
