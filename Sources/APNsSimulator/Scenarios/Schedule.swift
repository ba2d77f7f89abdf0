/// A possibly recurring period of a scenario's time, in milliseconds since its start.
public struct Schedule: Equatable, Sendable {
    /// When it starts.
    public var from: Int
    /// When it ends, exclusive; `Int.max` for never.
    public var until: Int
    /// The interval after which it recurs; nil if it does not.
    public var period: Int?

    /// Creates a period, by default the whole time.
    public init(from: Int = 0, until: Int = .max, period: Int? = nil) {
        self.from = from
        self.until = until
        self.period = period
    }

    /// Whether it contains a time.
    func contains(_ time: Int) -> Bool {
        let offset = period.map { time % $0 } ?? time
        return from <= offset && offset < until
    }

    /// When it next starts or ends, after a time.
    func nextChange(after time: Int) -> Int? {
        guard let period else { return [from, until].first { $0 > time && $0 != .max } }
        let start = time / period * period
        let ends = until == .max ? [] : [until]
        let changes = [start, start + period].flatMap { base in ([from] + ends).map { base + $0 } }
        return changes.filter { $0 > time }.min()
    }

    /// How often `from` has recurred after one time and up to another.
    func beginnings(after earlier: Int, upTo later: Int) -> Int {
        guard let period else { return earlier < from && from <= later ? 1 : 0 }
        func count(_ time: Int) -> Int { time < from ? 0 : (time - from) / period + 1 }
        return count(later) - count(earlier)
    }
}
