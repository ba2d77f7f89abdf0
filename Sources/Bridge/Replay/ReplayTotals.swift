/// What a replay has done.
public struct ReplayTotals: Equatable, Sendable {
    /// Dead letters read, without those that were replayed before.
    public internal(set) var read = 0
    /// Those that were written again, or would be.
    public internal(set) var replayed = 0
    /// Those of them whose expiration has passed; counted by a dry run.
    public internal(set) var expired = 0
    /// Those that the selection leaves out.
    public internal(set) var passedOver = 0
    /// Those before the time at which a replay without a record began: they count as replayed.
    public internal(set) var skipped = 0
    /// Those whose event was replayed as often as allowed.
    public internal(set) var tooOften = 0
    /// Those of them that no commit can record as open: they count as replayed.
    public internal(set) var givenUp = 0
    /// Those that a source topic cannot take: their events make several pushes.
    public internal(set) var oneOfMany = 0
    /// Those without a value.
    public internal(set) var withoutValue = 0
    /// Those of other connectors.
    public internal(set) var foreign = 0
    /// The names of these connectors; the first few.
    public internal(set) var foreignNames: Set<String> = []
    /// Those whose headers cannot be read.
    public internal(set) var damaged = 0
    /// Those without a valid seal.
    public internal(set) var unsealed = 0

    private static let maxNames = 8

    mutating func noteForeign(_ name: String) {
        if foreignNames.count < Self.maxNames { foreignNames.insert(name) }
    }

    mutating func count(_ decision: ReplaySelection.Decision) {
        read += 1
        switch decision {
        case .replay: replayed += 1
        case .passedOver: passedOver += 1
        case .skipped: skipped += 1
        case .tooOften: tooOften += 1
        case .oneOfMany: oneOfMany += 1
        case .withoutValue: withoutValue += 1
        case .foreign: foreign += 1
        case .damaged: damaged += 1
        case .unsealed: unsealed += 1
        }
    }
}
