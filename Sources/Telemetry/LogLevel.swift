/// The severity of a log line, as in swift-log.
public enum LogLevel: String, CaseIterable, Comparable, Sendable {
    /// Every step, for finding bugs in the program.
    case trace
    /// Details about a single connection or partition.
    case debug
    /// Normal operation.
    case info
    /// Normal, but worth attention.
    case notice
    /// Something went wrong and was handled.
    case warning
    /// Something went wrong and requires action.
    case error
    /// The process cannot do its work.
    case critical

    /// Orders levels from ``trace`` to ``critical``.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    var rank: Int {
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
