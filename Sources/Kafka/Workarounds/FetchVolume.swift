/// Tells from what is taken whether the library's fetcher may be asleep although there is room.
///
/// It falls asleep when its queue is full, for a second at most. If the queue is less than half
/// full before that second is over, half of what fits was taken meanwhile; so, wherever a window
/// of a second begins, a quarter of it in one. Until a quarter was taken, there is nothing to wake.
struct FetchVolume {
    /// How long the fetcher sleeps at most, in milliseconds.
    static let sleep = 1000

    /// A quarter of what fits in the library's queue.
    private let quarter: (records: Int, bytes: Int)
    /// When the window began, and what had been taken until then.
    private var start: Int
    private var before = (records: 0, bytes: 0)
    private var end = Int.min

    init(capacity: (records: Int, bytes: Int), at now: Int) {
        quarter = (max(1, capacity.records / 4), max(1, capacity.bytes / 4))
        start = now
    }

    /// The totals at which a quarter has been taken in this window.
    var alarm: (records: Int, bytes: Int) {
        (before.records + quarter.records, before.bytes + quarter.bytes)
    }

    /// Records how much has been taken so far, and at which time.
    mutating func note(records: Int, bytes: Int, at now: Int) {
        let isAlarm = records >= alarm.records || bytes >= alarm.bytes
        if isAlarm { end = now + Self.sleep }
        guard isAlarm || now - start >= Self.sleep else { return }
        start = now
        before = (records, bytes)
    }

    /// True while the fetcher may be asleep although there is room.
    func mayBeAsleep(at now: Int) -> Bool { now < end }
}
