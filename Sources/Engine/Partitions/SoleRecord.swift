internal import Delivery

/// The first record of a partition that is taken alone, after starts without progress, and what
/// waits meanwhile. What is known of each partition is in its ``StartWatch``.
struct SoleRecord: ~Copyable {
    /// How far a partition is whose first record is to be alone.
    enum Step: Sendable {
        /// The process is asked that nothing else be in flight.
        case wanted
        /// What is in flight ends.
        case granted
        /// The commit that counts this start is in progress.
        case counting
        /// The record is taken, or sent.
        case going
        /// It is done, or waits: the commit that does not count this start is in progress.
        case ending
    }

    struct Turn: Sendable {
        let assignment: AssignmentID
        var step = Step.wanted
        var since: Instant
        /// No connection has room for the record.
        var hasNoRoom = false
    }

    /// How long what is in flight is waited for.
    static let maxWait = Duration.seconds(5)
    /// After how long that is tried again.
    static let interval = Duration.seconds(30)
    /// A partition is paused when it has so many records that were not taken.
    static let maxHeld = 2 * PollPace.step

    /// The partition whose first record is to be alone.
    var turn: Turn?
    /// Not before this is one to be alone.
    var notBefore = Instant.distantPast
    /// True while a record of another worker of the process is to be alone.
    var isOthersTurn = false
    /// True when nothing is in flight in the other workers.
    var areOthersQuiet = false
    /// True while the record is taken that is alone.
    var isTaking = false
    /// True when records of some partition do not pass freely.
    var isActive = false
    /// True when some start may still be one without progress.
    var isWatching = false
    /// Until when the source is not asked for records, as commits are to count starts.
    var countEnd: Instant?

    /// True while nothing else may be taken or sent.
    var isHoldingBack: Bool { isOthersTurn || turn.map { $0.step != .wanted } ?? false }
}
