/// Distinguishes the first signal to stop from one that asks to stop at once.
///
/// `timeout` sends its signal twice, to the program and to its process group: what arrives within
/// a second of the first is the same request.
struct StopSignals {
    private var timeout: ContinuousClock.Instant?

    /// True for the first signal. Ends the process at one that arrives a second later.
    mutating func isFirst(
        _ signal: Int32, at now: ContinuousClock.Instant = .now
    ) -> Bool {
        guard let timeout else {
            self.timeout = now + .seconds(1)
            return true
        }
        if now >= timeout { StandardError.exit(128 + signal) }
        return false
    }
}
