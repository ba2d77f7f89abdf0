/// How much a line of the log matters, in the words of swift-log.
public enum LogLevel: String, CaseIterable, Comparable, Sendable {
    /// Every step, for the hunt after a mistake in the program.
    case trace
    /// What helps to understand one connection or one partition.
    case debug
    /// What happens in the course of a normal day.
    case info
    /// Normal, but worth a second look.
    case notice
    /// Something went wrong and was dealt with.
    case warning
    /// Something went wrong and somebody has to deal with it.
    case error
    /// The process cannot do its work.
    case critical

    /// Orders levels from ``trace`` to ``critical``.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .trace: 0
        case .debug: 1
        case .info: 2
        case .notice: 3
        case .warning: 4
        case .error: 5
        case .critical: 6
        }
    }
}
