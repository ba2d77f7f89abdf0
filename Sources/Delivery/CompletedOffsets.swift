/// The offsets above a committed one whose records are done, stored in the commit's metadata.
///
/// Offsets that do not fit are left out: their records are then processed again, never skipped. A
/// ``StartMark`` may precede them. The string uses the first of these encodings that can hold
/// everything, or else the one that holds most:
/// - `c1:` the lengths of alternating runs (not done, done, not done, …) from the committed offset
///   on, each as an unsigned LEB128 number, in hexadecimal digits;
/// - `c3:` the same, 15 bits per character: see ``DenseText``;
/// - `c4:` a bit for each offset from the committed one on, 15 per character.
public struct CompletedOffsets: Equatable, Sendable {
    /// The most characters that Kafka stores with a commit by default (`offset.metadata.max.bytes`,
    /// which counts characters despite its name).
    public static let maxTextLength = 4096

    /// How many offsets from the committed one on a string of that length can always cover,
    /// whichever of them are done.
    public static func span(ofTextLength length: Int = maxTextLength) -> Int64 {
        Int64(max(0, length - 3) * DenseText.bits)
    }

    /// Ranges of done offsets, in ascending order, neither empty nor adjacent.
    public private(set) var ranges: [Range<Int64>]

    /// Creates a value from ranges in ascending order.
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

    /// The offsets that are in this value or in another.
    public func union(_ other: Self) -> Self {
        guard !other.ranges.isEmpty else { return self }
        return Self(ranges: (ranges + other.ranges).sorted { $0.lowerBound < $1.lowerBound })
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

    /// The metadata string for a commit of `next`, of at most `length` characters; empty when no
    /// offset is done, or the room is used up.
    public func text(from next: Int64, atMost length: Int = maxTextLength) -> String {
        guard !ranges.isEmpty, length > 3 else { return "" }
        let room = (length - 3) * DenseText.bits / 8
        let runs = runs(from: next, atMost: room)
        if runs.isWhole, 2 * runs.bytes.count <= length - 3 {
            var text = [UInt8]("c1:".utf8)
            for byte in runs.bytes {
                text.append(lowercaseHexDigit(byte >> 4))
                text.append(lowercaseHexDigit(byte & 15))
            }
            return String(decoding: text, as: UTF8.self)
        }
        let window = next..<next.advancedAtMost(by: Self.span(ofTextLength: length))
        if !runs.isWhole, count(in: window) > runs.covered { return bitmap(from: next, in: window) }
        return "c3:" + DenseText.text(of: runs.bytes)
    }

    /// The lengths of as many runs as fit.
    private func runs(
        from next: Int64, atMost room: Int
    ) -> (bytes: [UInt8], covered: Int64, isWhole: Bool) {
        var bytes: [UInt8] = []
        var from = next
        var covered: Int64 = 0
        for range in ranges {
            let count = bytes.count
            Self.appendLEB128(UInt64(range.lowerBound - from), to: &bytes)
            Self.appendLEB128(UInt64(range.upperBound - range.lowerBound), to: &bytes)
            if bytes.count > room { return (Array(bytes[..<count]), covered, false) }
            covered += range.upperBound - range.lowerBound
            from = range.upperBound
        }
        return (bytes, covered, true)
    }

    /// Decodes the metadata of a commit of `next`. A foreign or invalid string yields no offsets.
    public init(text: String, from next: Int64) {
        self.init()
        let text = StartMark.remainder(of: text)
        // Not by character: what follows the colon may be a mark that joins it.
        let dense = text.utf16.dropFirst(3)
        let read: Self? =
            switch text.utf8.prefix(3).map({ $0 }) {
            case [UInt8]("c1:".utf8):
                Self.bytes(ofHex: text.utf8.dropFirst(3)).flatMap { Self(runs: $0, from: next) }
            case [UInt8]("c3:".utf8):
                DenseText.units(of: dense)
                    .flatMap { Self(runs: DenseText.bytes(of: $0), from: next) }
            case [UInt8]("c4:".utf8):
                DenseText.units(of: dense).flatMap { Self(units: $0, from: next) }
            default: nil
            }
        if let read { self = read }
    }

    /// Decodes run lengths; trailing zeros, which pad the last character, are ignored.
    private init?(runs bytes: [UInt8], from next: Int64) {
        var ranges: [Range<Int64>] = []
        var from = next
        var rest = bytes[...]
        while !rest.isEmpty, rest.count > 1 || rest.first != 0 {
            guard let gap = Self.takeLEB128(&rest), let length = Self.takeLEB128(&rest) else {
                return nil
            }
            let (lower, overflowed) = from.addingReportingOverflow(gap)
            let (upper, overflowedToo) = lower.addingReportingOverflow(length)
            guard !overflowed, !overflowedToo else { return nil }
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
