/// How many completed offsets above the committed one a commit can record.
public struct MetadataBudget: Equatable, Sendable {
    /// The most characters of a commit's metadata; 0 where the broker keeps none.
    public private(set) var characters: Int

    /// Creates a budget of `characters`; the default is what Kafka stores by default.
    public init(characters: Int = CompletedOffsets.maxTextLength) {
        self.characters = characters > 3 ? characters : 0
    }

    /// True when there is room for a ``StartMark`` and a ``LogMark``; where fewer are stored, the
    /// completed offsets take all of them.
    public var hasRoomForMark: Bool { characters >= 2 * StartMark.maxTextLength }

    /// The most characters for the completed offsets.
    public var mapCharacters: Int {
        hasRoomForMark
            ? characters - StartMark.maxTextLength - LogMark.maxTextLength : characters
    }

    /// The number of offsets, from the committed one on, that fit whichever of them are completed.
    public var span: Int64 { CompletedOffsets.span(ofTextLength: mapCharacters) }

    /// Halves the budget after the broker has refused a text of `length` characters.
    public mutating func halve(after length: Int) {
        let half = min(characters, length) / 2
        characters = half >= Self.minimum ? half : 0
    }

    /// A smaller budget records too little to be worth another commit.
    private static let minimum = 16

    /// True when the text fits with `open` unfinished records among the `span` offsets from the
    /// committed one on, whichever of them finish first.
    public func fits(open: Int, span: Int64) -> Bool {
        guard span > self.span else { return true }
        let room = max(0, mapCharacters - 3) * DenseText.bits / 8
        // Each open record precedes at most one run of completed ones. A run and the gap before it
        // are one number each, which takes a byte plus a seventh of a byte for each of its bits.
        // The numbers take the most room when all are equal.
        let (numbers, overflows) = open.multipliedReportingOverflow(by: 2)
        guard !overflows, numbers > 0, numbers < room else { return false }
        let mean = span / Int64(numbers)
        let bits = Int64.bitWidth - (1 + mean).leadingZeroBitCount
        return numbers + numbers * bits / 7 + 1 <= room
    }
}
