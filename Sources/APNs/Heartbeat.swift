internal import Delivery

/// Checks that the peer is still alive: with a PING after a long silence, and when a response is
/// missing.
struct Heartbeat {
    private let idleTime: Duration
    private let timeout: Duration
    /// When bytes were last received.
    private(set) var lastHeard = Instant.distantPast
    /// The payload of the last PING.
    private var number: UInt64 = 0
    /// When its response is due; nil when none is expected.
    private var pongDeadline: Instant?
    /// A response is missing: until the PING response arrives, the peer may be gone.
    private(set) var isInDoubt = false

    init(_ settings: PoolSettings) {
        idleTime = settings.idleTime
        timeout = settings.pingTimeout
    }

    /// When to check next.
    var nextDeadline: Instant { pongDeadline ?? lastHeard + idleTime }

    /// When to open another connection next to this one, which may be dead: when a PING response
    /// takes longer than any network round trip.
    var helpAt: Instant {
        guard isInDoubt, let pongDeadline else { return .distantFuture }
        return pongDeadline - timeout / 4 * 3
    }

    /// Bytes were received.
    mutating func heard(_ now: Instant) { lastHeard = now }

    /// A response is missing: returns the payload for a PING, unless one is in flight.
    mutating func doubt(_ now: Instant) -> UInt64? {
        isInDoubt = true
        return ping(now)
    }

    /// Returns the payload for a PING after a long silence, unless one is in flight.
    mutating func pingWhenIdle(_ now: Instant) -> UInt64? {
        nextDeadline <= now ? ping(now) : nil
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
