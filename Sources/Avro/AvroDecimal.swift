internal import JSON

/// A whole number of any size in two's complement becomes decimal digits, in reused memory.
struct AvroDecimal {
    /// The most bytes of a number: its digits take quadratic time.
    static let byteLimit = 512
    private static let billion: UInt64 = 1_000_000_000

    private var isNegative = false
    /// The absolute value, its lowest 32 bits first.
    private var limbs: [UInt32] = []
    /// Its digits, the last one first.
    private var reversed: [UInt8] = []

    /// Reads a big-endian number; no bytes are zero.
    mutating func read(_ bytes: RawSpan) {
        isNegative = bytes.byteCount > 0 && bytes.byte(at: 0) >= 0x80
        limbs.removeAll(keepingCapacity: true)
        var index = bytes.byteCount
        // The absolute value of a negative number is its complement and one.
        var carry: UInt64 = isNegative ? 1 : 0
        while index > 0 {
            var limb: UInt32 = 0
            for shift in 0..<UInt32(min(4, index)) {
                index -= 1
                let byte = bytes.byte(at: index)
                limb |= UInt32(isNegative ? ~byte : byte) << (8 * shift)
            }
            let sum = UInt64(limb) + carry
            limbs.append(UInt32(truncatingIfNeeded: sum))
            carry = sum >> 32
        }
        if carry > 0 { limbs.append(UInt32(carry)) }
        convert()
    }

    /// Divides by 10^9 until nothing is left.
    private mutating func convert() {
        reversed.removeAll(keepingCapacity: true)
        trim()
        while !limbs.isEmpty {
            var rest: UInt64 = 0
            for index in limbs.indices.reversed() {
                let value = rest << 32 | UInt64(limbs[index])
                limbs[index] = UInt32(truncatingIfNeeded: value / Self.billion)
                rest = value % Self.billion
            }
            trim()
            for _ in 0..<9 {
                if limbs.isEmpty, rest == 0 { break }
                reversed.append(UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
            }
        }
        if reversed.isEmpty { reversed.append(UInt8(ascii: "0")) }
    }

    private mutating func trim() {
        while limbs.last == 0 { limbs.removeLast() }
    }

    /// Writes the number with its point, as many digits behind it as the scale says.
    func write(scale: Int, to text: inout ByteBuffer) {
        if isNegative { text.append(UInt8(ascii: "-")) }
        var index = max(reversed.count, scale + 1)
        while index > 0 {
            index -= 1
            text.append(index < reversed.count ? reversed[index] : UInt8(ascii: "0"))
            if index == scale, scale > 0 { text.append(UInt8(ascii: ".")) }
        }
    }
}
