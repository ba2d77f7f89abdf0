/// Huffman's code (RFC 7541, appendix B) as far as a UUID needs it: hexadecimal digits and dashes.
@safe
struct HexadecimalCodes: ~Copyable {
    /// The longest code of a digit, in bits.
    private static let maxLength = 7
    fileprivate static let dash: (code: UInt64, bits: Int) = (0x16, 6)
    /// The codes of 0 to 9, a to f and A to F, as bits.
    private static let digits = [
        "00000", "00001", "00010", "011001", "011010", "011011", "011100", "011101", "011110",
        "011111", "00011", "100011", "00100", "100100", "00101", "100101", "100001", "1011101",
        "1011110", "1011111", "1100000", "1100001",
    ]

    /// For each seven bits the length of the code that they begin with, and its digit from bit 8;
    /// ``other`` if they begin with anything else.
    private let table: UnsafeMutablePointer<UInt32>
    fileprivate static let other: UInt32 = 1 << 31

    init() {
        unsafe table = .allocate(capacity: 1 << Self.maxLength)
        unsafe table.initialize(repeating: Self.other, count: 1 << Self.maxLength)
        for (index, digit) in Self.digits.enumerated() {
            let value = index < 16 ? index : index - 6
            let free = Self.maxLength - digit.count
            guard let code = Int(digit, radix: 2) else { continue }
            for position in code << free..<(code + 1) << free {
                unsafe table[position] = UInt32(digit.count | value << 8)
            }
        }
    }

    deinit { unsafe table.deallocate() }

    /// How many bytes after a text may be read: whatever it is, 252 bits of it are examined.
    static let slack = 40 - minimum
    /// The fewest and the most bytes of a UUID.
    private static let minimum = 23
    private static let maxBytes = 31

    /// The number of a UUID in canonical form; nil for anything else. Memory must be readable
    /// ``slack`` bytes beyond the text.
    mutating func number(_ text: UnsafeRawBufferPointer) -> UInt128? {
        guard text.count >= Self.minimum, text.count <= Self.maxBytes,
            let start = text.baseAddress
        else { return nil }
        var reader = unsafe Reader(start: start, table: table)
        let one = reader.digits(8, afterDash: false)
        let two = reader.digits(4, afterDash: true) << 16 | reader.digits(4, afterDash: true)
        let three = reader.digits(4, afterDash: true) << 16 | reader.digits(4, afterDash: true)
        let four = reader.digits(8, afterDash: false)
        guard reader.isGood, reader.ends(at: text.count) else { return nil }
        return UInt128(one << 32 | two) << 64 | UInt128(three << 32 | four)
    }

    @safe
    private struct Reader {
        let start: UnsafeRawPointer
        let table: UnsafeMutablePointer<UInt32>
        /// The sum of all entries: its lowest byte is the number of bits that were read.
        private var sum: UInt64 = 0
        private var found: UInt32 = 0

        init(start: UnsafeRawPointer, table: UnsafeMutablePointer<UInt32>) {
            unsafe self.start = unsafe start
            unsafe self.table = unsafe table
        }

        private var bit: Int { Int(sum & 0xFF) }

        /// Nothing but digits and dashes was found.
        var isGood: Bool { found & HexadecimalCodes.other == 0 }

        /// The next digits, at most eight: their codes are in the 57 bits that are loaded.
        mutating func digits(_ count: Int, afterDash: Bool) -> UInt64 {
            let bytes = unsafe start.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self)
            var word = UInt64(bigEndian: bytes) &<< UInt64(bit & 7)
            var value: UInt64 = 0
            if afterDash {
                if word >> 58 != HexadecimalCodes.dash.code { found = HexadecimalCodes.other }
                word &<<= UInt64(HexadecimalCodes.dash.bits)
                sum &+= UInt64(HexadecimalCodes.dash.bits)
            }
            for _ in 0..<count {
                let entry = unsafe table[Int(truncatingIfNeeded: word >> 57)]
                found |= entry
                // A shift counts the lowest six bits only, which are the length.
                word &<<= UInt64(entry)
                sum &+= UInt64(entry)
                value = value &<< 4 | UInt64(entry >> 8)
            }
            return value
        }

        /// What is left of the last byte is padding: fewer than eight ones (RFC 7541, 5.2).
        func ends(at count: Int) -> Bool {
            let left = count * 8 - bit
            guard left >= 0, left < 8 else { return false }
            let last = unsafe start.load(fromByteOffset: count - 1, as: UInt8.self)
            let ones = UInt8(truncatingIfNeeded: 1 << left - 1)
            return last & ones == ones
        }
    }
}
