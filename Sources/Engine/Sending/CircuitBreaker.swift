internal import Delivery

/// Suspends sending when APNs rejects a credential or its configuration, and probes slowly.
///
/// While it is open, nothing is sent but one probe at a time, at growing intervals; the first
/// probe that APNs takes closes it. One that opens again soon goes on with its long interval, so
/// that a fault that comes and goes is not an alarm a second.
struct CircuitBreaker: Sendable {
    static let firstInterval = Duration.seconds(1)
    /// So long sending stays suspended at most after the fault has been fixed.
    static let longestInterval = Duration.seconds(10)
    /// A breaker that opens again within so long has the same fault still.
    static let calm = Duration.seconds(60)

    private(set) var isOpen = false
    private var interval = CircuitBreaker.firstInterval
    private var nextProbe = Instant.distantPast
    private var openedAt = Instant.distantPast
    private var closedAt: Instant?
    private var probe: PushID?

    /// Takes note of a refusal: of a push, or with nil of a whole connection. True when that has
    /// opened it.
    mutating func refused(_ push: PushID?, now: Instant) -> Bool {
        if isOpen {
            if probe != nil, probe == push { probeAgain(now) }
            return false
        }
        let isSoonAgain = closedAt.map { $0.duration(to: now) < Self.calm } ?? false
        interval = isSoonAgain ? min(interval * 2, Self.longestInterval) : Self.firstInterval
        isOpen = true
        openedAt = now
        probe = nil
        nextProbe = now + interval
        return true
    }

    private mutating func probeAgain(_ now: Instant) {
        interval = min(interval * 2, Self.longestInterval)
        probe = nil
        nextProbe = now + interval
    }

    /// What was refused has been replaced: it is probed as soon as if it had just been refused.
    mutating func startAnew(now: Instant) {
        guard isOpen else { return }
        interval = Self.firstInterval
        if probe == nil { nextProbe = min(nextProbe, now + interval) }
    }

    /// Takes note of a response that only an accepted credential gets. When that has closed the
    /// breaker: since when it was open.
    mutating func proven(by push: PushID, now: Instant) -> Instant? {
        guard isOpen, probe == push else { return nil }
        isOpen = false
        probe = nil
        closedAt = now
        return openedAt
    }

    /// A push ended without a response that tells of the credential: nothing was refused, so that
    /// another one may probe soon.
    mutating func learnedNothing(from push: PushID, now: Instant) {
        guard isOpen, probe == push else { return }
        probe = nil
        nextProbe = now + Self.firstInterval
    }

    /// True when a push may be sent now.
    @inline(__always)
    func allowsSending(now: Instant) -> Bool { !isOpen || (probe == nil && now >= nextProbe) }

    /// When the next probe may go; nil when one may go now, or has no response yet.
    func deadline(now: Instant) -> Instant? {
        isOpen && probe == nil && nextProbe > now ? nextProbe : nil
    }

    /// Takes note of what was sent.
    mutating func sent(_ push: PushID) {
        if isOpen { probe = push }
    }
}
