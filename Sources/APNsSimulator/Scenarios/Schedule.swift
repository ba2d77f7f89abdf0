/// A stretch of a scenario's time, in milliseconds since it began, that may come again.
public struct Schedule: Equatable, Sendable {
    /// When it begins.
    public var from: Int
    /// When it ends, not included; `Int.max` when it never does.
    public var until: Int
    /// After how long everything starts over; nil when it does not.
    public var period: Int?

    /// The whole of the time, or a part of it.
    public init(from: Int = 0, until: Int = .max, period: Int? = nil) {
        self.from = from
        self.until = until
        self.period = period
    }

    /// Whether a moment belongs to it.
    func contains(_ time: Int) -> Bool {
        let place = period.map { time % $0 } ?? time
        return from <= place && place < until
    }

    /// When it begins or ends next, later than a moment.
    func nextChange(after time: Int) -> Int? {
        guard let period else { return [from, until].first { $0 > time && $0 != .max } }
        let start = time / period * period
        let ends = until == .max ? [] : [until]
        let changes = [start, start + period].flatMap { base in ([from] + ends).map { base + $0 } }
        return changes.filter { $0 > time }.min()
    }

    /// How often the moment `from` has come after one time and up to another.
    func beginnings(after earlier: Int, upTo later: Int) -> Int {
        guard let period else { return earlier < from && from <= later ? 1 : 0 }
        func count(_ time: Int) -> Int { time < from ? 0 : (time - from) / period + 1 }
        return count(later) - count(earlier)
    }
}
