/// The other text of completed offsets, for many short runs: `c2:` and a bit for each offset from
/// the committed one on, six to a character of the URL-safe alphabet of base64, the lowest first.
extension CompletedOffsets {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    static let bitmapPrefix = "c2:"

    /// The offsets from `next` on that a bitmap can tell of.
    static func bitmapRange(from next: Int64) -> Range<Int64> {
        let span = Int64((maxTextBytes - bitmapPrefix.utf8.count) * 6)
        return next..<(next > .max - span ? .max : next + span)
    }

    /// How many done offsets lie in a range.
    func count(in window: Range<Int64>) -> Int64 {
        ranges.reduce(0) { $0 + Int64($1.clamped(to: window).count) }
    }

    /// The text as a bitmap.
    func bitmap(from next: Int64) -> String {
        let window = Self.bitmapRange(from: next)
        var digits: [UInt8] = []
        for range in ranges {
            for offset in range.clamped(to: window) {
                let (digit, bit) = Int(offset - next).quotientAndRemainder(dividingBy: 6)
                while digits.count <= digit { digits.append(0) }
                digits[digit] |= 1 << UInt8(bit)
            }
        }
        return Self.bitmapPrefix
            + String(decoding: digits.map { Self.alphabet[Int($0)] }, as: UTF8.self)
    }

    /// Reads the digits of a bitmap; nil when they are damaged.
    init?(bitmap digits: some Sequence<UInt8>, from next: Int64) {
        var ranges: [Range<Int64>] = []
        var first = next
        for character in digits {
            guard let digit = Self.alphabet.firstIndex(of: character), first <= .max - 6 else {
                return nil
            }
            for bit in 0..<6 where digit >> bit & 1 == 1 {
                let offset = first + Int64(bit)
                if ranges.last?.upperBound == offset {
                    ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<(offset + 1)
                } else {
                    ranges.append(offset..<(offset + 1))
                }
            }
            first += 6
        }
        self.init(ranges: ranges)
    }
}
