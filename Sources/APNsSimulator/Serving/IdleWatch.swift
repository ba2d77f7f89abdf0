internal import Delivery

/// Detects a client that has been silent for too long.
///
/// Its deadline is updated when it is reached, not with every byte, so that bytes do not change the
/// caller's timers.
struct IdleWatch {
    /// When to check next.
    private(set) var deadline: Instant
    private var lastActivity: Instant

    init(at now: Instant, limit: Duration) {
        lastActivity = now
        deadline = now + limit
    }

    mutating func noteActivity(at now: Instant) { lastActivity = now }

    /// Whether the client has been silent for too long; otherwise the next check is later.
    ///
    /// The limit may have become shorter since the last check.
    mutating func isOver(at now: Instant, limit: Duration) -> Bool {
        deadline = min(deadline, lastActivity + limit)
        guard now >= deadline else { return false }
        guard now < lastActivity + limit else { return true }
        deadline = lastActivity + limit
        return false
    }
}
