/// The alternative encoding of completed offsets, for many short runs: a bit for each offset from
/// the committed one on, lowest first.
extension CompletedOffsets {
    /// The number of done offsets in a range.
    func count(in window: Range<Int64>) -> Int64 {
        ranges.reduce(0) { $0 + Int64($1.clamped(to: window).count) }
    }

    /// A bitmap of the offsets in a window, as a string.
    func bitmap(from next: Int64, in window: Range<Int64>) -> String {
        var units: [UInt16] = []
        for range in ranges {
            for offset in range.clamped(to: window) {
                let (unit, bit) = Int(offset - next).quotientAndRemainder(
                    dividingBy: DenseText.bits)
                while units.count <= unit { units.append(0) }
                units[unit] |= 1 << UInt16(bit)
            }
        }
        return "c4:" + DenseText.text(ofUnits: units)
    }

    /// Decodes a bitmap of 15 bits per character; nil when it is invalid.
    init?(units: [UInt16], from next: Int64) {
        let width = DenseText.bits
        guard next <= .max - Int64((units.count + 1) * width) else { return nil }
        var ranges: [Range<Int64>] = []
        for (index, unit) in units.enumerated() where unit != 0 {
            let first = next + Int64(index * width)
            for bit in 0..<width where unit >> UInt16(bit) & 1 == 1 {
                let offset = first + Int64(bit)
                if ranges.last?.upperBound == offset {
                    ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<(offset + 1)
                } else {
                    ranges.append(offset..<(offset + 1))
                }
            }
        }
        self.init(ranges: ranges)
    }
}

extension Int64 {
    /// The sum, or the largest number if it overflows.
    func advancedAtMost(by other: Int64) -> Int64 {
        let (sum, overflowed) = addingReportingOverflow(other)
        return overflowed ? .max : sum
    }
}
