internal import Delivery
internal import EventLoop

/// The provider token of a connection: which one its requests carry, and when to look for a newer
/// one.
struct TokenUse {
    /// APNs rejects tokens older than an hour; this leaves a few minutes.
    private static var oldestToken: Int64 { 55 * 60 }

    /// The token that requests carry; nil before the first one, and with a certificate.
    private(set) var current: ProviderToken?
    /// The token before it.
    private var previous: ProviderToken?
    /// When it was adopted.
    private var adoption = (now: Instant.distantPast, wallClock: Int64(0))
    /// When to look for a newer one.
    private(set) var nextCheck = Instant.distantPast
    /// When requests started to carry it.
    var since = Instant.distantPast
    /// When one request may try again, while APNs accepts no token on this connection.
    private(set) var pausedUntil: Instant?
    /// It has paused, and APNs has accepted nothing since.
    private(set) var isRecovering = false

    /// Adopts the newest token and schedules the next check: after a change no earlier than `life`
    /// later, otherwise when the next generation begins. Returns true for a change.
    mutating func adopt(
        _ latest: ProviderToken, life: Duration, at now: Instant, wallClock: Int64
    ) -> Bool {
        // An older token is the newest when the clock was ahead and has been corrected.
        guard current?.bytes != latest.bytes else {
            let wait = ProviderToken.nextGeneration(after: latest.issuedAt) - wallClock
            nextCheck = now + .milliseconds(max(wait, 1000))
            return false
        }
        previous = current
        current = latest
        since = now
        adoption = (now, wallClock)
        nextCheck = now + life
        return true
    }

    /// Reverts to the previous token while it is valid, and adopts no newer one for the usual
    /// lifetime of a token. Nil when there is no valid previous token.
    mutating func revert(life: Duration, at now: Instant) -> ProviderToken? {
        nextCheck = now + life
        guard let earlier = previous else { return nil }
        previous = nil
        let seconds = adoption.wallClock / 1000 + (now - adoption.now).wholeSeconds
        let left = earlier.issuedAt + Self.oldestToken - seconds
        guard left > 0 else { return nil }
        current = earlier
        since = now
        nextCheck = min(nextCheck, now + .seconds(left))
        return earlier
    }

    /// Looks for a newer token before the next request.
    mutating func checkAtOnce() { nextCheck = .distantPast }

    /// Looks for none: the connection has a certificate.
    mutating func neverCheck() { nextCheck = .distantFuture }

    /// Sends nothing for a while, then one request at a time until one is accepted.
    mutating func pause(until end: Instant) {
        pausedUntil = end
        isRecovering = true
    }

    /// Ends a pause that is over.
    mutating func resume(at now: Instant) {
        if let end = pausedUntil, end <= now { pausedUntil = nil }
    }

    /// APNs has accepted a request.
    mutating func accepted() { isRecovering = false }
}
