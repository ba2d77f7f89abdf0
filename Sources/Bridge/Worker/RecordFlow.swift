/// When to ask the source for records, and when to pause it.
///
/// A full window is no reason to pause: with librdkafka 2.0 a pause and its resume cost about a
/// second. Only when nothing was taken for half a second is the source paused, so that it can be
/// asked for records again, and serves rebalances, without getting any.
struct RecordFlow: Equatable, Sendable {
    static let pauseAfter: UInt64 = 500_000_000
    /// The most that are taken in one turn.
    static let batch = 512
    /// The most that are taken in one call.
    static let step = 32
    /// How many records are asked for while paused: none will come.
    static let pausedBatch = 16

    /// The source is called at least so often, so that the group keeps this member.
    let takeInterval: UInt64
    private(set) var isPaused = false
    /// True when no record is wanted any more.
    private var isStopped = false
    /// True when the source's queue was not empty at the last call.
    private(set) var hasMore = false
    private var lastCall: UInt64 = 0
    private var lastRoom: UInt64 = 0

    init(takeInterval: UInt64) { self.takeInterval = takeInterval }

    /// What to do before the source is asked.
    enum Change: Equatable { case none, pause, resume }

    /// Decides whether to pause or resume, from the room in the window.
    mutating func change(room: Int, of limit: Int, now: UInt64) -> Change {
        if lastRoom == 0 || room > 0 { lastRoom = now }
        if isPaused, room * 4 >= limit {
            isPaused = false
            return .resume
        }
        if !isPaused, now - lastRoom >= Self.pauseAfter {
            isPaused = true
            return .pause
        }
        return .none
    }

    /// No record is wanted any more; the source is only called to stay in the group.
    mutating func stop() { isStopped = true }

    /// How many records to ask for.
    func limit(room: Int) -> Int {
        isPaused || isStopped ? Self.pausedBatch : min(room, Self.batch)
    }

    /// The source was asked for `limit` records and had `taken`.
    mutating func asked(limit: Int, taken: Int, now: UInt64) {
        lastCall = now
        if limit > 0 { hasMore = taken == limit && !isPaused }
    }

    /// When the source is to be asked next.
    func nextCall(room: Int, now: UInt64) -> UInt64 {
        if hasMore, room > 0, !isPaused, !isStopped { return now }
        let regular = lastCall + takeInterval
        if isStopped || isPaused || room > 0 { return regular }
        return min(regular, lastRoom + Self.pauseAfter)
    }
}
