/// The offsets above a committed one whose records are done, as the commit's metadata carries them.
///
/// The text is `c1:` and, in hexadecimal digits, the lengths of alternating runs (not done, done,
/// not done, …) from the committed offset on, each as an unsigned LEB128 number. What does not
/// fit is left out: those records are then done again, never skipped. Many short runs are told of
/// in another text, a bit for each offset, when that says more.
public struct CompletedOffsets: Equatable, Sendable {
    /// The most bytes that Kafka keeps with a commit, by default (`offset.metadata.max.bytes`).
    public static let maxTextBytes = 4096

    /// Ranges of done offsets, rising, neither empty nor touching.
    public private(set) var ranges: [Range<Int64>]

    /// Takes ranges in rising order.
    public init(ranges: [Range<Int64>] = []) {
        self.ranges = []
        for range in ranges where !range.isEmpty {
            if let last = self.ranges.last, last.upperBound >= range.lowerBound {
                self.ranges[self.ranges.count - 1] =
                    last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    /// True when the record at `offset` is done.
    public func contains(_ offset: Int64) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(offset)
    }

    /// The text for a commit of `next`; empty when there is nothing to say.
    public func text(from next: Int64) -> String {
        guard !ranges.isEmpty else { return "" }
        var text = [UInt8]("c1:".utf8)
        var from = next
        var told: Int64 = 0
        for range in ranges {
            var piece: [UInt8] = []
            Self.appendLEB128(UInt64(range.lowerBound - from), to: &piece)
            Self.appendLEB128(UInt64(range.upperBound - range.lowerBound), to: &piece)
            guard text.count + 2 * piece.count <= Self.maxTextBytes else {
                let isMore = count(in: Self.bitmapRange(from: next)) > told
                if isMore { return bitmap(from: next) }
                break
            }
            told += range.upperBound - range.lowerBound
            for byte in piece {
                text.append(lowercaseHexDigit(byte >> 4))
                text.append(lowercaseHexDigit(byte & 15))
            }
            from = range.upperBound
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads the text of a commit of `next`. Text that is not ours, or damaged, says nothing.
    public init(text: String, from next: Int64) {
        self.init()
        if text.hasPrefix(Self.bitmapPrefix) {
            self = Self(bitmap: text.utf8.dropFirst(3), from: next) ?? self
            return
        }
        guard text.hasPrefix("c1:"), let bytes = Self.bytes(ofHex: text.utf8.dropFirst(3)) else {
            return
        }
        var ranges: [Range<Int64>] = []
        var from = next
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let gap = Self.takeLEB128(&rest), let length = Self.takeLEB128(&rest) else {
                return
            }
            let (lower, overflowed) = from.addingReportingOverflow(gap)
            let (upper, overflowedToo) = lower.addingReportingOverflow(length)
            guard !overflowed, !overflowedToo else { return }
            ranges.append(lower..<upper)
            from = upper
        }
        self.init(ranges: ranges)
    }

    private static func bytes(ofHex digits: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var half: UInt8?
        for digit in digits {
            guard let value = hexDigit(digit) else { return nil }
            if let high = half {
                bytes.append(high << 4 | value)
                half = nil
            } else {
                half = value
            }
        }
        return half == nil ? bytes : nil
    }

    private static func appendLEB128(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func takeLEB128(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = bytes.popFirst() {
            guard shift < 63 else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return Int64(exactly: number) }
            shift += 7
        }
        return nil
    }
}
