/// Bits as text, 15 to a character: Kafka counts the characters of a commit's metadata.
///
/// The characters are U+3000 to U+AFFF: one unit of UTF-16 each, none of them half of another.
enum DenseText {
    /// How many bits a character holds.
    static let bits = 15
    private static let first: UInt16 = 0x3000

    /// Bytes as text, the lowest bit first; zeros fill the last character.
    static func text(of bytes: [UInt8]) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count * 8 / bits + 1)
        var (pending, count): (UInt32, Int) = (0, 0)
        for byte in bytes {
            pending |= UInt32(byte) << UInt32(count)
            count += 8
            if count >= bits {
                units.append(UInt16(truncatingIfNeeded: pending & 0x7FFF))
                pending >>= UInt32(bits)
                count -= bits
            }
        }
        if count > 0 { units.append(UInt16(truncatingIfNeeded: pending)) }
        return text(ofUnits: units)
    }

    /// Numbers of 15 bits as text.
    static func text(ofUnits units: [UInt16]) -> String {
        String(decoding: units.map { first + $0 }, as: UTF16.self)
    }

    /// The numbers of 15 bits behind a text; nil when it is not one of ours.
    static func units(of text: Substring) -> [UInt16]? {
        var units: [UInt16] = []
        for unit in text.utf16 {
            guard unit >= first, unit - first <= 0x7FFF else { return nil }
            units.append(unit - first)
        }
        return units
    }

    /// The bytes behind numbers of 15 bits, with what fills the last of them.
    static func bytes(of units: [UInt16]) -> [UInt8] {
        var bytes: [UInt8] = []
        var (pending, count): (UInt32, Int) = (0, 0)
        for unit in units {
            pending |= UInt32(unit) << UInt32(count)
            count += bits
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                count -= 8
            }
        }
        return bytes
    }
}
