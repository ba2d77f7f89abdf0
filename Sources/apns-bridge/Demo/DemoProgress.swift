internal import Bridge
internal import Engine

/// The progress of the demonstration, and whether it has come to its end.
struct DemoProgress {
    private static let timeout = Duration.seconds(30)

    private var line = ProgressLine()
    private let start = ContinuousClock.now
    private var lastChange = ContinuousClock.now
    private var last = EngineCounters()
    private var isOver = false

    /// Shows the bridge's progress; returns true once, when it is done or has stopped moving.
    mutating func show(_ counters: EngineCounters) -> Bool {
        let now = ContinuousClock.now
        if counters != last { lastChange = now }
        last = counters
        let done = counters.accepted + counters.rejected + counters.dropped + counters.unknown
        let isDone = done >= DemoEvents.count
        let start = start
        line.show(isLast: isDone) { Self.message(counters, done, since: start) }
        guard !isOver, isDone || now - lastChange > Self.timeout else { return false }
        isOver = true
        return true
    }

    /// Ends the progress line.
    mutating func end() { line.end() }

    private static func message(
        _ counters: EngineCounters, _ done: Int, since start: ContinuousClock.Instant
    ) -> String {
        let tenths = Int((ContinuousClock.now - start) / .milliseconds(100))
        return "\(tenths / 10).\(tenths % 10) s  taken \(counters.records)  accepted"
            + " \(counters.accepted)  rejected \(counters.rejected)  dropped \(counters.dropped)"
            + "  unfinished \(max(0, counters.records - done))"
    }
}
