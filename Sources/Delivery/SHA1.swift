/// SHA-1 (FIPS 180-4), for names only: UUID version 5 asks for it.
struct SHA1 {
    private var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
    )

    /// The first 16 bytes of the digest of `bytes`, as two halves.
    static func halves(of bytes: [UInt8]) -> (high: UInt64, low: UInt64) {
        var hash = SHA1()
        var block: InlineArray<64, UInt8> = .init(repeating: 0)
        var start = 0
        while bytes.count - start >= 64 {
            hash.add { bytes[start + $0] }
            start += 64
        }
        let rest = bytes.count - start
        for index in 0..<rest { block[index] = bytes[start + index] }
        block[rest] = 0x80
        if rest >= 56 {
            hash.add { block[$0] }
            for index in 0..<64 { block[index] = 0 }
        }
        let bits = UInt64(bytes.count) * 8
        for index in 0..<8 {
            block[56 + index] = UInt8(truncatingIfNeeded: bits >> (56 - 8 * index))
        }
        hash.add { block[$0] }
        let (a, b, c, d, _) = hash.state
        return (UInt64(a) << 32 | UInt64(b), UInt64(c) << 32 | UInt64(d))
    }

    private mutating func add(_ byte: (Int) -> UInt8) {
        var words: InlineArray<80, UInt32> = .init(repeating: 0)
        for index in 0..<16 {
            let at = index * 4
            words[index] =
                UInt32(byte(at)) << 24 | UInt32(byte(at + 1)) << 16
                | UInt32(byte(at + 2)) << 8 | UInt32(byte(at + 3))
        }
        for index in 16..<80 {
            let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words[index] = rotate(mixed, 1)
        }
        var (a, b, c, d, e) = state
        for index in 0..<80 {
            let (choice, constant) = Self.round(index, b, c, d)
            let next = rotate(a, 5) &+ choice &+ e &+ constant &+ words[index]
            (e, d, c, b, a) = (d, c, rotate(b, 30), a, next)
        }
        state.0 &+= a
        state.1 &+= b
        state.2 &+= c
        state.3 &+= d
        state.4 &+= e
    }

    private static func round(
        _ index: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32
    ) -> (UInt32, UInt32) {
        switch index {
        case ..<20: (b & c | ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
    }

    private func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word << bits | word >> (32 - bits)
    }
}
