/// A number in decimal, stored inline.
struct DecimalDigits {
    private var bytes: InlineArray<20, UInt8> = .init(repeating: 0)
    private var first = 19

    /// Formats a number, with a minus sign if it is negative.
    @inline(__always)
    init(_ number: Int64) {
        var rest = number.magnitude
        while rest >= 10 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            bytes[first] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
            first &-= 1
            rest = quotient
        }
        bytes[first] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
        if number < 0 {
            first &-= 1
            bytes[first] = UInt8(ascii: "-")
        }
    }

    /// Calls `body` with each character.
    @inline(__always)
    func forEach(_ body: (UInt8) -> Void) {
        for index in first..<20 { body(bytes[index]) }
    }
}
