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
    private var heldSince: UInt64 = 0
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
        if !wasHolding { heldSince = now }
        isHolding = true
        return !wasHolding
    }

    /// Takes note of an answer that proves the line free: since when it was held, if it was.
    mutating func release() -> UInt64? {
        guard isHolding else { return nil }
        let since = heldSince
        self = LineHold()
        return since
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

    /// When the next probe may go; nil when one may go now, or has no answer yet.
    func deadline(now: UInt64) -> UInt64? {
        isHolding && probe == nil && nextProbe > now ? nextProbe : nil
    }

    /// Takes note of what was sent.
    mutating func sent(_ notification: Int) {
        if isHolding { probe = notification }
    }
}
