/// A number in decimal, in memory of its own.
struct DecimalDigits {
    private var bytes: InlineArray<20, UInt8> = .init(repeating: 0)
    private var first = 19

    /// Writes a number; a minus sign stands before one below 0.
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

    /// Hands over one character after the other.
    @inline(__always)
    func forEach(_ body: (UInt8) -> Void) {
        for index in first..<20 { body(bytes[index]) }
    }
}
