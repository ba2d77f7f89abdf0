import BridgeTesting
import Delivery

/// Checks that a record is ended for crashes only if it was named in two of them.
struct CrashCheck {
    private struct Position: Hashable {
        var partition: Int32
        var offset: Int64
    }

    /// The number of partitions of the first topic; those of the retry topic follow.
    let firstCount: Int
    /// How often a record was named when its partition was assigned anew, as after a crash.
    private var timesNamed: [Position: Int] = [:]
    /// The outcomes that say so, in the order of their acknowledgement.
    private(set) var outcomes: [String] = []

    init(firstCount: Int) { self.firstCount = firstCount }

    /// A partition is assigned, with that metadata of its last commit.
    mutating func assigned(_ partition: Int32, _ metadata: String) {
        for suspect in StartMark(metadata: metadata).suspects where suspect.isBeingTried {
            timesNamed[Position(partition: partition, offset: suspect.offset), default: 0] += 1
        }
    }

    /// True when a record was named in two crashes, by its own position.
    func mayEnd(_ partition: Int32, _ offset: Int64) -> Bool {
        timesNamed[Position(partition: partition, offset: offset)] ?? 0 >= 2
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
        // A record of the retry topic is named by its position there.
        let isNamed = timesNamed.contains {
            $0.value >= 2 && ($0.key == position || Int($0.key.partition) >= firstCount)
        }
        return isNamed ? nil : "\(position) was ended for crashes in which it was not named"
    }
}
