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
        let place = count & 63
        words[place >> 2] |= UInt32(byte) &<< UInt32(24 &- 8 &* (place & 3))
        count &+= 1
        if place == 63 { addBlock() }
    }

    /// Adds a number in decimal digits.
    mutating func append(decimal number: Int64) {
        DecimalDigits(number).forEach { append($0) }
    }

    /// The place of the last byte in its block; nil if that block has been added.
    var lastPlace: Int? { count & 63 == 0 ? nil : (count &- 1) & 63 }

    /// Raises a byte of the block that is not complete. The sum must fit.
    @inline(__always)
    mutating func raise(at place: Int, by number: UInt32) {
        words[place >> 2] &+= number &<< UInt32(24 &- 8 &* (place & 3))
    }

    private mutating func addBlock() {
        digest.add(words)
        words = .init(repeating: 0)
    }

    /// Ends the message: a single block is left.
    private mutating func pad() {
        let bits = UInt64(count) << 3
        append(0x80)
        // The length is at the end of a block.
        if count & 63 > 56 { addBlock() }
        words[14] = UInt32(truncatingIfNeeded: bits >> 32)
        words[15] = UInt32(truncatingIfNeeded: bits)
    }

    /// The start of the digest of all bytes added.
    consuming func halves() -> Halves {
        pad()
        digest.add(words)
        return Self.halves(digest.a, digest.b, digest.c, digest.d)
    }

    /// The starts of the digests of four messages, whose last blocks are added side by side.
    static func halves(of messages: consuming InlineArray<4, SHA1>) -> InlineArray<4, Halves> {
        for lane in 0..<4 { messages[lane].pad() }
        var digest = SHA1Digest(
            messages[0].digest, messages[1].digest, messages[2].digest, messages[3].digest)
        var block = InlineArray<16, SIMD4<UInt32>>(repeating: .zero)
        for index in 0..<16 {
            block[index] = SIMD4(
                messages[0].words[index], messages[1].words[index], messages[2].words[index],
                messages[3].words[index])
        }
        digest.add(block)
        return InlineArray { lane in
            halves(digest.a[lane], digest.b[lane], digest.c[lane], digest.d[lane])
        }
    }

    private static func halves(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> Halves {
        (UInt64(a) << 32 | UInt64(b), UInt64(c) << 32 | UInt64(d))
    }
}
