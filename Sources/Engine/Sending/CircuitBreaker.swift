internal import Delivery

/// Suspends sending when APNs rejects a credential or its configuration, and probes slowly.
///
/// While it is open, only one probe at a time is sent, at increasing intervals; the first accepted
/// probe closes it. A breaker that opens again soon keeps its long interval, so that an
/// intermittent fault does not raise an alarm every second.
struct CircuitBreaker: Sendable {
    static let firstInterval = Duration.seconds(1)
    /// The longest time that sending remains suspended after the fault was fixed.
    static let maxInterval = Duration.seconds(10)
    /// A breaker that opens again within this time still has the same fault.
    static let calm = Duration.seconds(60)

    private(set) var isOpen = false
    private var interval = CircuitBreaker.firstInterval
    private var nextProbe = Instant.distantPast
    private var openedAt = Instant.distantPast
    private var closedAt: Instant?
    private var probe: PushID?

    /// Since when it is open; nil when it is closed.
    var openSince: Instant? { isOpen ? openedAt : nil }

    /// Records a rejected push, or with nil a rejected connection. True when this opens the
    /// breaker.
    mutating func refused(_ push: PushID?, now: Instant) -> Bool {
        if isOpen {
            if probe != nil, probe == push { probeAgain(now) }
            return false
        }
        let isSoonAgain = closedAt.map { $0.duration(to: now) < Self.calm } ?? false
        interval = isSoonAgain ? min(interval * 2, Self.maxInterval) : Self.firstInterval
        isOpen = true
        openedAt = now
        probe = nil
        nextProbe = now + interval
        return true
    }

    private mutating func probeAgain(_ now: Instant) {
        interval = min(interval * 2, Self.maxInterval)
        probe = nil
        nextProbe = now + interval
    }

    /// What was rejected has been replaced: the next probe is sent as soon as after a first
    /// rejection.
    mutating func startAnew(now: Instant) {
        guard isOpen else { return }
        interval = Self.firstInterval
        if probe == nil { nextProbe = min(nextProbe, now + interval) }
    }

    /// Records a response that proves the credential valid. If this closes the breaker, returns the
    /// time at which it opened.
    mutating func proven(by push: PushID, now: Instant) -> Instant? {
        guard isOpen, probe == push else { return nil }
        isOpen = false
        probe = nil
        closedAt = now
        return openedAt
    }

    /// A push was done without a response about the credential: another one may probe soon.
    mutating func learnedNothing(from push: PushID, now: Instant) {
        guard isOpen, probe == push else { return }
        probe = nil
        nextProbe = now + Self.firstInterval
    }

    /// True when a push may be sent now.
    func allowsSending(now: Instant) -> Bool { !isOpen || (probe == nil && now >= nextProbe) }

    /// When the next probe is due; nil when it may be sent now or has no response yet.
    func deadline(now: Instant) -> Instant? {
        isOpen && probe == nil && nextProbe > now ? nextProbe : nil
    }

    /// Records a send.
    mutating func sent(_ push: PushID) {
        if isOpen { probe = push }
    }
}
