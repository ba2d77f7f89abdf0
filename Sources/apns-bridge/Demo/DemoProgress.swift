internal import Bridge
internal import Engine

/// A progress line, updated in place on a terminal and printed once a second elsewhere.
struct DemoProgress {
    private static let patience = Duration.seconds(30)

    private let isTerminal = Console.isErrorTerminal
    private let start = ContinuousClock.now
    private var nextLine = ContinuousClock.now
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
        if now >= nextLine || isDone {
            nextLine = now + (isTerminal ? .milliseconds(100) : .seconds(1))
            say(counters, done)
        }
        guard !isOver, isDone || now - lastChange > Self.patience else { return false }
        isOver = true
        return true
    }

    /// Ends the progress line.
    func end() {
        if isTerminal { Console.error(bytes: "\n") }
    }

    private func say(_ counters: EngineCounters, _ done: Int) {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let tenths = Int(seconds * 10)
        let line =
            "\(tenths / 10).\(tenths % 10) s  taken \(counters.records)  accepted"
            + " \(counters.accepted)  rejected \(counters.rejected)  dropped \(counters.dropped)"
            + "  unfinished \(max(0, counters.records - done))"
        Console.error(bytes: isTerminal ? "\r\u{1B}[K" + line : line + "\n")
    }
}
