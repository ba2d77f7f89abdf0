import BridgeTesting
import Delivery

/// Checks that a record is ended for crashes only if five starts ended before it was finished, the
/// last two while it was alone.
struct CrashCheck {
    private struct Position: Hashable {
        var partition: Int32
        var offset: Int64
    }

    /// The number of partitions of the first topic; those of the retry topic follow.
    let firstCount: Int
    /// The records that may be ended: each was the first of its partition at five such starts.
    private var mayEnd: Set<Position> = []
    /// The outcomes that say so, in the order of their acknowledgement.
    private(set) var outcomes: [String] = []

    init(firstCount: Int) { self.firstCount = firstCount }

    /// A partition is assigned, with that last commit; `first` is its first record that is not
    /// done.
    mutating func assigned(_ partition: Int32, _ metadata: String, first: Int64?) {
        guard let first, StartMark(metadata: metadata).starts >= 5 else { return }
        mayEnd.insert(Position(partition: partition, offset: first))
    }

    /// True when a record may be ended, by its own position.
    func mayEnd(_ partition: Int32, _ offset: Int64) -> Bool {
        mayEnd.contains(Position(partition: partition, offset: offset))
    }

    /// True for the outcome of a record that is ended since it crashed the worker.
    static func isEnd(_ outcome: String) -> Bool {
        outcome.components(after: #""reason":"crashed""#) != nil
    }

    /// Notes an outcome; returns what is wrong with it.
    mutating func note(_ outcome: String, _ partition: Int32, _ offset: Int64) -> String? {
        guard Self.isEnd(outcome) else { return nil }
        outcomes.append(outcome)
        let position = Position(partition: partition, offset: offset)
        // A record of the retry topic is known by its position there.
        let isKnown = mayEnd.contains {
            $0 == position || Int($0.partition) >= firstCount
        }
        return isKnown ? nil : "\(position) was ended for crashes while it was not alone"
    }
}
