internal import Delivery

/// Pushes by the values of some of their labels.
///
/// There are as many values, or combinations of the values of several labels, as fit: a push with
/// any other counts as one of ``PushFigures/otherReason``. One without a push for a day makes room.
public struct LabelFigures: Equatable, Sendable {
    /// The most values, or combinations of values, of a worker.
    public static let limit = 50
    /// How long a combination has figures of its own after its last push.
    static let memory = Duration.seconds(86_400)

    /// What a count is for.
    public struct Series: Hashable, Sendable {
        /// The other labels of the push.
        public var kind: PushFigures.Kind
        /// The number of its values: see ``LabelFigures/values(of:)``; -1 for any that do not fit.
        public var values: Int
    }

    private struct Combination: Equatable, Sendable {
        var key: [UInt8]
        var values: [String]
        var lastPush: Instant
    }

    /// The names of the labels.
    public let names: [String]
    /// The counts.
    public private(set) var counts: [Series: UInt64] = [:]
    /// The pushes whose values do not fit.
    public private(set) var pushesBeyondLimit: UInt64 = 0
    /// In the order of their first push; nil where one was forgotten.
    private var combinations: [Combination?] = []
    private var indices: [[UInt8]: Int] = [:]
    private var nextSearch = Instant.distantPast

    /// Creates empty figures for these labels.
    init(names: [String]) { self.names = names }

    /// The values of all labels; empty where a label has none.
    public func values(of series: Series) -> [String] {
        guard combinations.indices.contains(series.values),
            let known = combinations[series.values]
        else { return names.map { _ in PushFigures.otherReason } }
        return known.values
    }

    /// Counts a push, whose values are separated by zero bytes.
    mutating func count(_ kind: PushFigures.Kind, _ key: [UInt8], now: Instant) {
        if now >= nextSearch { forgetQuiet(now) }
        var series = Series(kind: kind, values: index(of: key, now))
        if series.values < 0 { pushesBeyondLimit &+= 1 }
        if counts[series] == nil, !PushFigures.isKnown(kind.reason) {
            series.kind.reason = PushFigures.otherReason
        }
        counts[series, default: 0] &+= 1
    }

    private mutating func index(of key: [UInt8], _ now: Instant) -> Int {
        if let known = indices[key] {
            combinations[known]?.lastPush = now
            return known
        }
        guard indices.count < Self.limit else { return -1 }
        let values = key.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        let free = combinations.firstIndex { $0 == nil } ?? combinations.count
        if free == combinations.count { combinations.append(nil) }
        combinations[free] = Combination(key: key, values: values, lastPush: now)
        indices[key] = free
        return free
    }

    /// Forgets the combinations without a push for a day, once an hour.
    private mutating func forgetQuiet(_ now: Instant) {
        nextSearch = now + .seconds(3600)
        for index in combinations.indices {
            guard let quiet = combinations[index], quiet.lastPush + Self.memory <= now else {
                continue
            }
            combinations[index] = nil
            indices[quiet.key] = nil
            counts = counts.filter { $0.key.values != index }
        }
    }
}
