/// How much a commit can tell of the completed offsets above it.
public struct MetadataBudget: Equatable, Sendable {
    /// The most characters of a commit's metadata; 0 where the broker keeps none.
    public private(set) var characters: Int

    /// A budget of so many characters: those that Kafka keeps by default.
    public init(characters: Int = CompletedOffsets.maxTextLength) {
        self.characters = characters > 3 ? characters : 0
    }

    /// How many offsets from the committed one on fit, whichever of them are done.
    public var span: Int64 { CompletedOffsets.span(ofTextLength: characters) }

    /// The broker refused a text of so many characters: half of it may fit.
    public mutating func halve(after length: Int) {
        let half = min(characters, length) / 2
        characters = half >= Self.fewest ? half : 0
    }

    /// Less tells of too little to be worth another commit.
    private static let fewest = 16

    /// True when the text fits with so many records open among `span` offsets from the committed
    /// one on, whichever of them end first.
    public func fits(open: Int, span: Int64) -> Bool {
        guard span > self.span else { return true }
        let room = max(0, characters - 3) * DenseText.bits / 8
        // Each open record stands before at most one run of done ones. A run and the gap before it
        // are a number each, of a byte and a seventh for each of its bits: together they are
        // longest when all are equal.
        let (numbers, overflows) = open.multipliedReportingOverflow(by: 2)
        guard !overflows, numbers > 0, numbers < room else { return false }
        let mean = span / Int64(numbers)
        let bits = Int64.bitWidth - (1 + mean).leadingZeroBitCount
        return numbers + numbers * bits / 7 + 1 <= room
    }
}
