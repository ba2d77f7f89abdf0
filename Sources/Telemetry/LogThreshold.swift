internal import Synchronization

/// What all copies of a logger share, and what may change while the process runs: the minimum level
/// and the format.
final class LogThreshold: Sendable {
    private let levelRank: Atomic<Int>
    private let isJSON: Atomic<Bool>

    init(_ level: LogLevel, _ format: LogFormat) {
        levelRank = Atomic(level.rank)
        isJSON = Atomic(format == .json)
    }

    var level: LogLevel {
        get { LogLevel.allCases[levelRank.load(ordering: .relaxed)] }
        set { levelRank.store(newValue.rank, ordering: .relaxed) }
    }

    var format: LogFormat {
        get { isJSON.load(ordering: .relaxed) ? .json : .text }
        set { isJSON.store(newValue == .json, ordering: .relaxed) }
    }
}
