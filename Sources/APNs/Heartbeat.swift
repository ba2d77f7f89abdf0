/// Watches whether the peer is still there: by a PING after a long silence, and by one where an
/// response is missing.
struct Heartbeat {
    private let idleTime: UInt64
    private let timeout: UInt64
    /// When bytes came last.
    private(set) var lastHeard: UInt64 = 0
    /// The number that the last PING carried.
    private var number: UInt64 = 0
    /// When the pong must be here; nil while none is waited for.
    private var pongDeadline: UInt64?
    /// A response is missing: until its pong is here, the peer may be gone.
    private(set) var isInDoubt = false

    init(_ settings: PoolSettings) {
        idleTime = settings.idleTime
        timeout = settings.pingTimeout
    }

    /// When to look again.
    var nextDeadline: UInt64 { pongDeadline ?? lastHeard &+ idleTime }

    /// When another connection should be opened beside this one, which may be dead: when the pong
    /// takes longer than any way does.
    var helpAt: UInt64 {
        guard isInDoubt, let pongDeadline else { return .max }
        return pongDeadline - timeout / 4 * 3
    }

    /// Bytes have come.
    mutating func heard(_ now: UInt64) { lastHeard = now }

    /// A response is missing: returns the number for a PING, unless one is on its way.
    mutating func doubt(_ now: UInt64) -> UInt64? {
        isInDoubt = true
        return ping(now)
    }

    /// Returns the number for a PING when nothing has come for long, unless one is on its way.
    mutating func pingWhenIdle(_ now: UInt64) -> UInt64? {
        nextDeadline <= now ? ping(now) : nil
    }

    private mutating func ping(_ now: UInt64) -> UInt64? {
        guard pongDeadline == nil else { return nil }
        pongDeadline = now + timeout
        number += 1
        return number
    }

    /// A PING had no response in time.
    func isOverdue(_ now: UInt64) -> Bool { pongDeadline.map { $0 <= now } ?? false }

    /// A pong has come; one that was not asked for proves nothing.
    mutating func pong(_ number: UInt64) {
        guard pongDeadline != nil, number == self.number else { return }
        pongDeadline = nil
        isInDoubt = false
    }
}
