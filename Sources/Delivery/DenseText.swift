/// Encodes bits as a string, 15 per character, because Kafka counts characters in metadata.
///
/// The characters are U+3000 to U+AFFF: one UTF-16 unit each, and never a surrogate. Some of them
/// join the one before, so that a string has fewer of Swift's characters than it has units.
enum DenseText {
    /// The number of bits per character.
    static let bits = 15
    private static let first: UInt16 = 0x3000

    /// Encodes bytes, lowest bit first; zeros pad the last character.
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

    /// Encodes 15-bit numbers.
    static func text(ofUnits units: [UInt16]) -> String {
        String(decoding: units.map { first + $0 }, as: UTF16.self)
    }

    /// Decodes UTF-16 units into 15-bit numbers; nil when there are others among them.
    static func units(of text: Substring.UTF16View) -> [UInt16]? {
        var units: [UInt16] = []
        for unit in text {
            guard unit >= first, unit - first <= 0x7FFF else { return nil }
            units.append(unit - first)
        }
        return units
    }

    /// Unpacks 15-bit numbers into bytes, including the padding.
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
