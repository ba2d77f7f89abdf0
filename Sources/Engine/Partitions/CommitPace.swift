internal import Delivery

/// How often offsets are committed, and how many commits are underway.
struct CommitPace: Equatable, Sendable {
    /// What was done in this time is done again if the worker dies.
    static let interval = Duration.milliseconds(200)

    /// True when an offset may have become safe that was not committed.
    var isDirty = false
    /// True when the broker keeps no room for what is done above an offset.
    var leavesOutCompleted = false
    /// How many partitions have a commit that has not ended.
    private(set) var inFlight = 0
    private(set) var next = Instant.distantPast

    var areDone: Bool { inFlight == 0 }

    func isDue(now: Instant) -> Bool { areDone && now >= next }

    /// The offsets of so many partitions are being committed.
    mutating func started(_ count: Int, now: Instant) {
        guard count > 0 else { return }
        inFlight += count
        next = now + Self.interval
    }

    /// The source cannot commit now.
    mutating func postpone(now: Instant) { next = now + Self.interval }

    /// The commits of so many partitions have ended, in whichever reports.
    mutating func ended(_ count: Int) { inFlight = max(0, inFlight - count) }
}
