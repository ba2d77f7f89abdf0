/// Detects a client that has been silent for too long.
///
/// Its deadline is updated when it is reached, not with every byte, so that bytes do not change the
/// caller's timers.
struct IdleWatch {
    /// When to check next, in monotonic nanoseconds.
    private(set) var deadline: UInt64
    private var heardAt: UInt64

    init(at now: UInt64, limit: UInt64) {
        heardAt = now
        deadline = now + limit
    }

    mutating func hear(at now: UInt64) { heardAt = now }

    /// Whether the client has been silent for too long; otherwise the next check is later.
    ///
    /// The limit may have become shorter since the last check.
    mutating func isOver(at now: UInt64, limit: UInt64) -> Bool {
        deadline = min(deadline, heardAt + limit)
        guard now >= deadline else { return false }
        guard now < heardAt + limit else { return true }
        deadline = heardAt + limit
        return false
    }
}
