/// Stops sending when Apple refuses a credential or its configuration, and probes slowly.
///
/// While it is open, nothing is sent but one probe at a time, at growing intervals; the first
/// probe that Apple takes closes it. One that opens again soon goes on with its long interval, so
/// that a fault that comes and goes is not an alarm a second.
struct Breaker: Sendable {
    static let firstInterval: UInt64 = 1_000_000_000
    /// So long a line may wait at most after the fault has been mended.
    static let longestInterval: UInt64 = 10_000_000_000
    /// Who opens again within so long has the same fault still.
    static let calm: UInt64 = 60_000_000_000

    private(set) var isOpen = false
    private var interval = Breaker.firstInterval
    private var nextProbe: UInt64 = 0
    private var openedAt: UInt64 = 0
    private var closedAt: UInt64?
    private var probe: Int?

    /// Takes note of a refusal: of a notification, or with nil of a whole connection. True when
    /// that has opened it.
    mutating func refused(_ notification: Int?, now: UInt64) -> Bool {
        if isOpen {
            if probe != nil, probe == notification { probeAgain(now) }
            return false
        }
        let isSoonAgain = closedAt.map { now - $0 < Self.calm } ?? false
        interval = isSoonAgain ? min(interval * 2, Self.longestInterval) : Self.firstInterval
        isOpen = true
        openedAt = now
        probe = nil
        nextProbe = now + interval
        return true
    }

    private mutating func probeAgain(_ now: UInt64) {
        interval = min(interval * 2, Self.longestInterval)
        probe = nil
        nextProbe = now + interval
    }

    /// What was refused has been replaced: it is probed as soon as if it had just been refused.
    mutating func startAnew(now: UInt64) {
        guard isOpen else { return }
        interval = Self.firstInterval
        if probe == nil { nextProbe = min(nextProbe, now + interval) }
    }

    /// Takes note of an answer that only a credential which is in order gets. When that has closed
    /// the breaker: since when it was open.
    mutating func proven(by notification: Int, now: UInt64) -> UInt64? {
        guard isOpen, probe == notification else { return nil }
        isOpen = false
        probe = nil
        closedAt = now
        return openedAt
    }

    /// A notification ended without an answer that tells of the credential: nothing was refused,
    /// so that another one may ask soon.
    mutating func learnedNothing(from notification: Int, now: UInt64) {
        guard isOpen, probe == notification else { return }
        probe = nil
        nextProbe = now + Self.firstInterval
    }

    /// True when a notification may be sent now.
    func allowsSending(now: UInt64) -> Bool { !isOpen || (probe == nil && now >= nextProbe) }

    /// When the next probe may go; nil when one may go now, or has no answer yet.
    func deadline(now: UInt64) -> UInt64? {
        isOpen && probe == nil && nextProbe > now ? nextProbe : nil
    }

    /// Takes note of what was sent.
    mutating func sent(_ notification: Int) {
        if isOpen { probe = notification }
    }
}
