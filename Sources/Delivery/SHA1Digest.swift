/// The five words of a digest (FIPS 180-4): those of one message, or of four side by side.
struct SHA1Digest<Word: SHA1Word>: Sendable {
    private(set) var a = Word(repeating: 0x6745_2301)
    private(set) var b = Word(repeating: 0xEFCD_AB89)
    private(set) var c = Word(repeating: 0x98BA_DCFE)
    private(set) var d = Word(repeating: 0x1032_5476)
    private(set) var e = Word(repeating: 0xC3D2_E1F0)

    /// The operation of a quarter of the rounds.
    private enum Quarter {
        case first, second, third, fourth

        @inline(__always)
        var constant: UInt32 {
            switch self {
            case .first: 0x5A82_7999
            case .second: 0x6ED9_EBA1
            case .third: 0x8F1B_BCDC
            case .fourth: 0xCA62_C1D6
            }
        }

        @inline(__always)
        func mix(_ b: Word, _ c: Word, _ d: Word) -> Word {
            switch self {
            case .first: d ^ b & (c ^ d)
            case .third: b & c | d & (b | c)
            case .second, .fourth: b ^ c ^ d
            }
        }
    }

    /// Adds a block. Unrolled, so that all of it stays in registers.
    @inline(never)
    mutating func add(_ block: InlineArray<16, Word>) {
        var words = block
        let before = self
        addTen(0, .first, &words)
        addTen(10, .first, &words)
        addTen(20, .second, &words)
        addTen(30, .second, &words)
        addTen(40, .third, &words)
        addTen(50, .third, &words)
        addTen(60, .fourth, &words)
        addTen(70, .fourth, &words)
        a = a &+ before.a
        b = b &+ before.b
        c = c &+ before.c
        d = d &+ before.d
        e = e &+ before.e
    }

    @inline(__always)
    private mutating func addTen(
        _ first: Int, _ quarter: Quarter, _ words: inout InlineArray<16, Word>
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
        _ index: Int, _ quarter: Quarter, _ words: inout InlineArray<16, Word>
    ) {
        if index >= 16 {
            let mixed =
                words[(index - 3) & 15] ^ words[(index - 8) & 15] ^ words[(index - 14) & 15]
                ^ words[index & 15]
            words[index & 15] = mixed.rotated(by: 1)
        }
        // The previous round's result is added last: the rest need not wait for it.
        let next =
            (e &+ Word(repeating: quarter.constant) &+ words[index & 15]) &+ quarter.mix(b, c, d)
            &+ a.rotated(by: 5)
        (a, b, c, d, e) = (next, a, b.rotated(by: 30), c, d)
    }
}

extension SHA1Digest<SIMD4<UInt32>> {
    /// Puts four digests side by side.
    init(
        _ one: SHA1Digest<UInt32>, _ two: SHA1Digest<UInt32>, _ three: SHA1Digest<UInt32>,
        _ four: SHA1Digest<UInt32>
    ) {
        a = SIMD4(one.a, two.a, three.a, four.a)
        b = SIMD4(one.b, two.b, three.b, four.b)
        c = SIMD4(one.c, two.c, three.c, four.c)
        d = SIMD4(one.d, two.d, three.d, four.d)
        e = SIMD4(one.e, two.e, three.e, four.e)
    }
}

/// A word of one message, or those at the same place in four.
protocol SHA1Word: Sendable {
    init(repeating word: UInt32)
    func rotated(by bits: UInt32) -> Self
    static func &+ (one: Self, other: Self) -> Self
    static func & (one: Self, other: Self) -> Self
    static func | (one: Self, other: Self) -> Self
    static func ^ (one: Self, other: Self) -> Self
}

extension UInt32: SHA1Word {
    @inline(__always)
    init(repeating word: UInt32) { self = word }

    @inline(__always)
    func rotated(by bits: UInt32) -> UInt32 { self &<< bits | self &>> (32 &- bits) }
}

extension SIMD4<UInt32>: SHA1Word {
    // The compiler rotates one word after the other where it sees shifts in both directions.
    @inline(__always)
    func rotated(by bits: UInt32) -> Self {
        self &* SIMD4(repeating: 1 &<< bits) | self &>> SIMD4(repeating: 32 &- bits)
    }
}
