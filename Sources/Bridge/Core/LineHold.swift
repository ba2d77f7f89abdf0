/// Stops the line when Apple refuses the credential or its configuration, and probes slowly.
///
/// While it holds, nothing is sent but one probe at a time, at growing intervals; the first
/// answer of another kind lets everything flow again.
struct LineHold: Sendable {
    static let firstInterval: UInt64 = 1_000_000_000
    static let longestInterval: UInt64 = 60_000_000_000

    private(set) var isHolding = false
    private var interval = LineHold.firstInterval
    private(set) var nextProbe: UInt64 = 0
    private var probe: Int?

    /// Takes note of an answer that stops the line. True when the line has just stopped.
    mutating func hold(_ notification: Int, now: UInt64) -> Bool {
        let wasHolding = isHolding
        if wasHolding, probe == notification {
            interval = min(interval * 2, Self.longestInterval)
        }
        if !wasHolding || probe == notification {
            probe = nil
            nextProbe = now + interval
        }
        isHolding = true
        return !wasHolding
    }

    /// Takes note of an answer that proves the line free. True when it was held.
    mutating func release() -> Bool {
        defer { self = LineHold() }
        return isHolding
    }

    /// The probe ended without an answer.
    mutating func probeFailed(_ notification: Int, now: UInt64) {
        guard isHolding, probe == notification else { return }
        probe = nil
        nextProbe = now + interval
    }

    /// True when a notification may be sent now.
    func allowsSending(now: UInt64) -> Bool {
        !isHolding || (probe == nil && now >= nextProbe)
    }

    /// Takes note of what was sent.
    mutating func sent(_ notification: Int) {
        if isHolding { probe = notification }
    }
}
