/// Pushes by the values of some of their labels.
///
/// There are as many values, or combinations of the values of several labels, as fit: a push with
/// any other counts as one of ``PushFigures/otherReason``.
public struct LabelFigures: Equatable, Sendable {
    /// The most values, or combinations of values, of a worker.
    public static let limit = 50

    /// What a count is for.
    public struct Series: Hashable, Sendable {
        /// The other labels of the push.
        public var kind: PushFigures.Kind
        /// The index of its values in ``LabelFigures/values``; -1 for any that do not fit.
        public var values: Int
    }

    /// The names of the labels.
    public let names: [String]
    /// The values of all labels, in the order of their first push; empty where a label has none.
    public private(set) var values: [[String]] = []
    /// The counts.
    public private(set) var counts: [Series: UInt64] = [:]
    private var indices: [[UInt8]: Int] = [:]

    /// Creates empty figures for these labels.
    init(names: [String]) { self.names = names }

    /// Counts a push, whose values are separated by zero bytes.
    mutating func count(_ kind: PushFigures.Kind, _ key: [UInt8]) {
        var series = Series(kind: kind, values: index(of: key))
        if counts[series] == nil, !PushFigures.isKnown(kind.reason) {
            series.kind.reason = PushFigures.otherReason
        }
        counts[series, default: 0] &+= 1
    }

    private mutating func index(of key: [UInt8]) -> Int {
        if let known = indices[key] { return known }
        guard values.count < Self.limit else { return -1 }
        indices[key] = values.count
        values.append(
            key.split(separator: 0, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            })
        return values.count - 1
    }
}
