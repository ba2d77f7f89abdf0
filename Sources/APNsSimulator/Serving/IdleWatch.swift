/// Notices a client that has said nothing for long.
///
/// Its deadline moves when it is reached, not with every byte, so that whoever waits for it is
/// not bothered by each.
struct IdleWatch {
    /// When to look next, in monotonic nanoseconds.
    private(set) var deadline: UInt64
    private var heardAt: UInt64

    init(at now: UInt64, limit: UInt64) {
        heardAt = now
        deadline = now + limit
    }

    mutating func hear(at now: UInt64) { heardAt = now }

    /// Whether the time is up; when it is not, the next look is later.
    ///
    /// The limit may have become shorter since the last look.
    mutating func isOver(at now: UInt64, limit: UInt64) -> Bool {
        deadline = min(deadline, heardAt + limit)
        guard now >= deadline else { return false }
        guard now < heardAt + limit else { return true }
        deadline = heardAt + limit
        return false
    }
}
