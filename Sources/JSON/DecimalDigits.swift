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
