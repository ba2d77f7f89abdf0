internal import Delivery

/// When to poll the source, and when to pause it.
///
/// A full window alone is not paused: with librdkafka 2.0, pausing and resuming cost about a
/// second. Only when nothing could be taken for half a second is everything paused, so that polling
/// can serve rebalances without delivering records.
struct PollPace: Equatable, Sendable {
    static let pauseAfter = Duration.milliseconds(500)
    /// The most records in one turn.
    static let batch = 512
    /// The most records in one poll.
    static let step = 32
    /// The number of records to ask for while paused; none will come.
    static let pausedBatch = 16

    /// The longest interval between polls, so that the group keeps this member.
    let takeInterval: Duration
    /// True when no more records are wanted.
    private var isStopped = false
    /// True when the last poll did not empty the source's queue.
    private(set) var hasMore = false
    private var lastCall = Instant.distantPast
    private var lastRoom = Instant.distantPast

    init(takeInterval: Duration) { self.takeInterval = takeInterval }

    /// Whether everything should be paused, given whether there is room, and enough to resume.
    mutating func shouldPause(
        _ isPaused: Bool, hasRoom: Bool, hasMuchRoom: Bool, now: Instant
    ) -> Bool {
        if lastRoom == .distantPast || hasRoom { lastRoom = now }
        if isPaused { return !hasMuchRoom }
        return now >= lastRoom + Self.pauseAfter
    }

    /// Stops taking records; polling continues only to stay in the group.
    mutating func stop() { isStopped = true }

    /// The number of records to ask for.
    func limit(_ isPaused: Bool, room: Int) -> Int {
        isPaused || isStopped ? Self.pausedBatch : min(room, Self.step)
    }

    /// The source was asked for `limit` records and returned `taken`.
    mutating func asked(limit: Int, taken: Int, _ isPaused: Bool, now: Instant) {
        lastCall = now
        if limit > 0 { hasMore = taken == limit && !isPaused }
    }

    /// When to poll the source next.
    func nextCall(_ isPaused: Bool, room: Int, now: Instant) -> Instant {
        if hasMore, room > 0, !isPaused, !isStopped { return now }
        let regular = lastCall + takeInterval
        if isStopped || isPaused || room > 0 { return regular }
        return min(regular, lastRoom + Self.pauseAfter)
    }
}
