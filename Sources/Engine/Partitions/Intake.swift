internal import Delivery

/// When to ask the source for records, and when to pause it.
///
/// A full window is no reason to pause: with librdkafka 2.0 a pause and its resume cost about a
/// second. Only when nothing could be taken for half a second is everything paused, so that the
/// source can be asked for records again, and serves rebalances, without giving any.
struct Intake: Equatable, Sendable {
    static let pauseAfter = Duration.milliseconds(500)
    /// The most that are taken in one turn.
    static let batch = 512
    /// The most that are taken in one call.
    static let step = 32
    /// How many records are asked for while paused: none will come.
    static let pausedBatch = 16

    /// The source is called at least so often, so that the group keeps this member.
    let takeInterval: Duration
    /// True when no record is wanted any more.
    private var isStopped = false
    /// True when the source's queue was not empty at the last call.
    private(set) var hasMore = false
    private var lastCall = Instant.distantPast
    private var lastRoom = Instant.distantPast

    init(takeInterval: Duration) { self.takeInterval = takeInterval }

    /// Whether everything is to be paused now, from the room in the window.
    mutating func shouldPause(_ isPaused: Bool, room: Int, of limit: Int, now: Instant) -> Bool {
        if lastRoom == .distantPast || room > 0 { lastRoom = now }
        if isPaused { return room * 4 < limit }
        return now >= lastRoom + Self.pauseAfter
    }

    /// No record is wanted any more; the source is only called to stay in the group.
    mutating func stop() { isStopped = true }

    /// How many records to ask for.
    func limit(_ isPaused: Bool, room: Int) -> Int {
        isPaused || isStopped ? Self.pausedBatch : min(room, Self.step)
    }

    /// The source was asked for `limit` records and had `taken`.
    mutating func asked(limit: Int, taken: Int, _ isPaused: Bool, now: Instant) {
        lastCall = now
        if limit > 0 { hasMore = taken == limit && !isPaused }
    }

    /// When the source is to be asked next.
    func nextCall(_ isPaused: Bool, room: Int, now: Instant) -> Instant {
        if hasMore, room > 0, !isPaused, !isStopped { return now }
        let regular = lastCall + takeInterval
        if isStopped || isPaused || room > 0 { return regular }
        return min(regular, lastRoom + Self.pauseAfter)
    }
}
