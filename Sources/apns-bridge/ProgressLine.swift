/// A line of progress on standard error: updated in place on a terminal, printed once a second
/// elsewhere.
struct ProgressLine {
    private let isTerminal = Console.isErrorTerminal
    private var next = ContinuousClock.now
    private var isShown = false

    /// Shows the progress if the last time was long enough ago, or if it is the last.
    mutating func show(isLast: Bool = false, _ text: () -> String) {
        let now = ContinuousClock.now
        guard now >= next || isLast else { return }
        next = now + (isTerminal ? .milliseconds(100) : .seconds(1))
        isShown = true
        Console.error(bytes: isTerminal ? "\r\u{1B}[K" + text() : text() + "\n")
    }

    /// Ends the line.
    mutating func end() {
        if isTerminal, isShown { Console.error(bytes: "\n") }
        isShown = false
    }
}
