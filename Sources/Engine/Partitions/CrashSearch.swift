internal import Delivery
internal import EventLoop

/// The search of one worker for a record that crashes it: what is kept back meanwhile, and which
/// partition is searched. What is known of each partition is in its ``StartWatch``.
struct CrashSearch: ~Copyable {
    /// True when records of some partition do not pass freely.
    var isActive = false
    /// Records that have arrived and are not taken.
    var held = Slab<RecordCopy>(capacity: 1)
    /// True while a record is taken that a stored commit names.
    var isTakingNamed = false
    /// The partition with the only record that may be processed now; nil while all may be.
    var isolated: AssignmentID?
    /// Pushes that were queued and wait for that record.
    var sidelined: [PushID] = []
    /// Until when taking records waits for the commits that count starts; nil when it does not.
    var startsEnd: Instant?
}
