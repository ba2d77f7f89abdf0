internal import Delivery

/// Checks that the peer is still alive: with a PING after a long silence, and when a response is
/// missing.
struct Heartbeat {
    private let interval: Duration?
    private let provenFor: Duration
    private let timeout: Duration
    private let proofTimeout: Duration
    /// When bytes were last received.
    private(set) var lastReceived = Instant.distantPast
    /// The payload of the last PING.
    private var number: UInt64 = 0
    /// When its response is due; nil when none is expected.
    private var pongDeadline: Instant?
    /// A response is missing: until the PING response arrives, the peer may be gone.
    private(set) var isInDoubt = false
    /// Nothing came for a while: the peer must prove that it is there before it gets a request.
    private(set) var needsProof = false

    init(_ settings: PoolSettings) {
        interval = settings.pingInterval
        provenFor = settings.provenFor
        timeout = settings.pingTimeout
        proofTimeout = min(settings.proofTimeout, timeout / 4)
    }

    /// When to check next.
    var nextDeadline: Instant {
        let ping = pongDeadline ?? nextPing
        return needsProof ? ping : min(ping, lastReceived + provenFor)
    }

    private var nextPing: Instant { interval.map { lastReceived + $0 } ?? .distantFuture }

    /// When to open another connection next to this one, which may be dead: when a PING response
    /// takes longer than any network round trip.
    var helpAt: Instant {
        guard isInDoubt, let pongDeadline else { return .distantFuture }
        return pongDeadline - timeout + proofTimeout
    }

    /// Bytes were received.
    mutating func received(_ now: Instant) {
        lastReceived = now
        needsProof = false
    }

    /// Notices that nothing came for a while.
    mutating func noticeSilence(_ now: Instant) {
        if lastReceived + provenFor <= now { needsProof = true }
    }

    /// A response is missing: returns the payload for a PING, unless one is in flight.
    mutating func doubt(_ now: Instant) -> UInt64? {
        isInDoubt = true
        return ping(now)
    }

    /// Returns the payload for a PING after a long silence, unless one is in flight.
    mutating func pingWhenIdle(_ now: Instant) -> UInt64? {
        nextPing <= now ? ping(now) : nil
    }

    private mutating func ping(_ now: Instant) -> UInt64? {
        guard pongDeadline == nil else { return nil }
        pongDeadline = now + timeout
        number += 1
        return number
    }

    /// A PING had no response within the time limit.
    func isOverdue(_ now: Instant) -> Bool { pongDeadline.map { $0 <= now } ?? false }

    /// A PING response arrived; an unexpected one proves nothing.
    mutating func pong(_ number: UInt64) {
        guard pongDeadline != nil, number == self.number else { return }
        pongDeadline = nil
        isInDoubt = false
    }
}
