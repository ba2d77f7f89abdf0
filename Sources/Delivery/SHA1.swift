/// SHA-1 (FIPS 180-4), for names only: UUID version 5 requires it.
struct SHA1: Sendable {
    /// The first 16 bytes of a digest.
    typealias Halves = (high: UInt64, low: UInt64)

    private var digest = SHA1Digest<UInt32>()
    /// The bytes since the last complete block, followed by zeros.
    private var words: InlineArray<16, UInt32> = .init(repeating: 0)
    /// The number of bytes added.
    private var count = 0

    /// Adds a byte.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        let position = count & 63
        words[position >> 2] |= UInt32(byte) &<< UInt32(24 &- 8 &* (position & 3))
        count &+= 1
        if position == 63 { addBlock() }
    }

    /// Adds a number in decimal digits.
    mutating func append(decimal number: Int64) {
        DecimalDigits(number).forEach { append($0) }
    }

    /// The place of the last byte in its block; nil if that block has been added.
    var lastSlot: Int? { count & 63 == 0 ? nil : (count &- 1) & 63 }

    /// Raises a byte of the block that is not complete. The sum must fit.
    @inline(__always)
    mutating func raise(at position: Int, by number: UInt32) {
        words[position >> 2] &+= number &<< UInt32(24 &- 8 &* (position & 3))
    }

    private mutating func addBlock() {
        digest.add(words)
        words = .init(repeating: 0)
    }

    /// True when the length of the message needs one more block than what was added.
    private var lengthNeedsBlock: Bool { count & 63 >= 56 }

    /// Ends the message with a bit of 1 (FIPS 180-4, 5.1.1).
    private mutating func mark() {
        let position = count & 63
        words[position >> 2] |= 0x80 &<< UInt32(24 &- 8 &* (position & 3))
    }

    /// Adds the length of the message to its last block.
    private mutating func writeLength() {
        let bits = UInt64(count) << 3
        words[14] = UInt32(truncatingIfNeeded: bits >> 32)
        words[15] = UInt32(truncatingIfNeeded: bits)
    }

    /// The start of the digest of all bytes added.
    consuming func halves() -> Halves {
        mark()
        if lengthNeedsBlock { addBlock() }
        writeLength()
        digest.add(words)
        return Self.halves(digest.a, digest.b, digest.c, digest.d)
    }

    /// The starts of the digests of four messages, whose last blocks are added side by side.
    static func halves(of messages: consuming InlineArray<4, SHA1>) -> InlineArray<4, Halves> {
        let needsBlock = messages[0].lengthNeedsBlock
        for lane in 1..<4 where messages[lane].lengthNeedsBlock != needsBlock {
            return [
                messages[0].halves(), messages[1].halves(), messages[2].halves(),
                messages[3].halves(),
            ]
        }
        var digest = SHA1Digest(
            messages[0].digest, messages[1].digest, messages[2].digest, messages[3].digest)
        for lane in 0..<4 { messages[lane].mark() }
        var blocksLeft = needsBlock ? 2 : 1
        while blocksLeft > 0 {
            if blocksLeft == 1 {
                for lane in 0..<4 { messages[lane].writeLength() }
            }
            digest.add(
                together(
                    messages[0].words, messages[1].words, messages[2].words, messages[3].words))
            for lane in 0..<4 { messages[lane].words = .init(repeating: 0) }
            blocksLeft -= 1
        }
        return InlineArray { lane in
            halves(digest.a[lane], digest.b[lane], digest.c[lane], digest.d[lane])
        }
    }

    /// Four blocks side by side.
    @inline(__always)
    private static func together(
        _ one: InlineArray<16, UInt32>, _ two: InlineArray<16, UInt32>,
        _ three: InlineArray<16, UInt32>, _ four: InlineArray<16, UInt32>
    ) -> InlineArray<16, SIMD4<UInt32>> {
        var blocks = InlineArray<16, SIMD4<UInt32>>(repeating: .zero)
        for index in 0..<16 {
            blocks[index] = SIMD4(one[index], two[index], three[index], four[index])
        }
        return blocks
    }

    private static func halves(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> Halves {
        (UInt64(a) << 32 | UInt64(b), UInt64(c) << 32 | UInt64(d))
    }
}
