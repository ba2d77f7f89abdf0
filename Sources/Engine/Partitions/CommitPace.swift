internal import Delivery

/// How often offsets are committed, and how many commits are in progress.
struct CommitPace: Equatable, Sendable {
    /// If the worker dies, everything done within this time is repeated.
    static let interval = Duration.milliseconds(200)

    /// True when an offset may have become safe since the last commit.
    var isDirty = false
    /// True when the broker does not store the completed offsets in the commit metadata.
    var leavesOutCompleted = false
    /// The number of partitions with a commit in progress.
    private(set) var inFlight = 0
    private(set) var next = Instant.distantPast

    var areDone: Bool { inFlight == 0 }

    func isDue(now: Instant) -> Bool { areDone && now >= next }

    /// A commit for this many partitions starts.
    mutating func started(_ count: Int, now: Instant) {
        guard count > 0 else { return }
        inFlight += count
        next = now + Self.interval
    }

    /// The source cannot commit now.
    mutating func postpone(now: Instant) { next = now + Self.interval }

    /// The commits of this many partitions have completed, in any number of reports.
    mutating func ended(_ count: Int) { inFlight = max(0, inFlight - count) }
}
