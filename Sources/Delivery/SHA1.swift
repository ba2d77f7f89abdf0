/// SHA-1 (FIPS 180-4), for names only: UUID version 5 requires it.
struct SHA1: Sendable {
    private typealias State = (UInt32, UInt32, UInt32, UInt32, UInt32)
    private var state: State = (
        0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
    )

    /// The operation of a quarter of the rounds.
    private enum Quarter {
        case first, second, third, fourth

        var constant: UInt32 {
            switch self {
            case .first: 0x5A82_7999
            case .second: 0x6ED9_EBA1
            case .third: 0x8F1B_BCDC
            case .fourth: 0xCA62_C1D6
            }
        }

        @inline(__always)
        func mix(_ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
            switch self {
            case .first: d ^ b & (c ^ d)
            case .third: b & c | d & (b | c)
            case .second, .fourth: b ^ c ^ d
            }
        }
    }

    /// The bytes since the last complete block, followed by zeros.
    private var words: InlineArray<16, UInt32> = .init(repeating: 0)
    /// The number of bytes added.
    private var count = 0

    /// Adds a byte.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        let place = count & 63
        words[place >> 2] |= UInt32(byte) &<< UInt32(24 &- 8 &* (place & 3))
        count &+= 1
        if place == 63 { addBlock() }
    }

    /// Adds a number in decimal digits.
    mutating func append(decimal number: Int64) {
        DecimalDigits(number).forEach { append($0) }
    }

    /// The first 16 bytes of the digest, as two halves.
    consuming func halves() -> (high: UInt64, low: UInt64) {
        let bits = UInt64(count) << 3
        append(0x80)
        // The length is at the end of a block.
        if count & 63 > 56 { addBlock() }
        words[14] = UInt32(truncatingIfNeeded: bits >> 32)
        words[15] = UInt32(truncatingIfNeeded: bits)
        add(words)
        let (a, b, c, d, _) = state
        return (UInt64(a) << 32 | UInt64(b), UInt64(c) << 32 | UInt64(d))
    }

    private mutating func addBlock() {
        add(words)
        words = .init(repeating: 0)
    }

    /// Adds a block. Unrolled, so that all of it stays in registers.
    private mutating func add(_ block: InlineArray<16, UInt32>) {
        var words = block
        let before = state
        addTen(0, .first, &words)
        addTen(10, .first, &words)
        addTen(20, .second, &words)
        addTen(30, .second, &words)
        addTen(40, .third, &words)
        addTen(50, .third, &words)
        addTen(60, .fourth, &words)
        addTen(70, .fourth, &words)
        state.0 &+= before.0
        state.1 &+= before.1
        state.2 &+= before.2
        state.3 &+= before.3
        state.4 &+= before.4
    }

    @inline(__always)
    private mutating func addTen(
        _ first: Int, _ quarter: Quarter, _ words: inout InlineArray<16, UInt32>
    ) {
        addOne(first, quarter, &words)
        addOne(first + 1, quarter, &words)
        addOne(first + 2, quarter, &words)
        addOne(first + 3, quarter, &words)
        addOne(first + 4, quarter, &words)
        addOne(first + 5, quarter, &words)
        addOne(first + 6, quarter, &words)
        addOne(first + 7, quarter, &words)
        addOne(first + 8, quarter, &words)
        addOne(first + 9, quarter, &words)
    }

    @inline(__always)
    private mutating func addOne(
        _ index: Int, _ quarter: Quarter, _ words: inout InlineArray<16, UInt32>
    ) {
        if index >= 16 {
            let mixed =
                words[(index - 3) & 15] ^ words[(index - 8) & 15] ^ words[(index - 14) & 15]
                ^ words[index & 15]
            words[index & 15] = Self.rotate(mixed, 1)
        }
        let (a, b, c, d, e) = state
        // The previous round's result is added last: the rest need not wait for it.
        let next =
            (e &+ quarter.constant &+ words[index & 15]) &+ quarter.mix(b, c, d)
            &+ Self.rotate(a, 5)
        state = (next, a, Self.rotate(b, 30), c, d)
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word &<< bits | word &>> (32 &- bits)
    }
}
