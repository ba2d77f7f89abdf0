internal import Delivery

/// When offsets are committed, how much a commit can record, and how many commits are in progress.
///
/// What was finished since the last commit is repeated if the worker crashes.
struct CommitPace: Equatable, Sendable {
    static let interval = Duration.milliseconds(50)
    /// The number of finished records that starts a commit before the interval has passed.
    static let batch = 2000

    /// The room that a partition needs before another record is taken: for that record, and for
    /// those that may still come before a pause takes effect.
    static let reserve = 1 + 2 * PollPace.step

    /// True when an offset that is not committed may have become safe.
    var isDirty = false
    /// The metadata that the broker stores with a commit.
    var budget: MetadataBudget {
        didSet { ampleSpan = Self.ampleSpan(of: budget) }
    }
    /// The number of offsets above the committed one up to which no check is needed.
    private(set) var ampleSpan: Int64
    /// ``batch`` within the bounds of the settings.
    private let batch: Int
    /// The number of partitions whose commit has not ended.
    private(set) var inFlight = 0
    private(set) var next = Instant.distantPast
    /// Set while the source cannot commit.
    private var notBefore = Instant.distantPast
    private var finished = 0
    /// True when something waits for the next commit to be stored.
    private var isUrgent = false

    init(budget: MetadataBudget, maxUncommitted: Int) {
        self.budget = budget
        ampleSpan = Self.ampleSpan(of: budget)
        batch = max(1, min(Self.batch, maxUncommitted / 2))
    }

    /// Without metadata there is no bound to check.
    private static func ampleSpan(of budget: MetadataBudget) -> Int64 {
        budget.characters == 0
            ? .max : max(0, min(budget.span / 2, budget.span - Int64(reserve)))
    }

    /// True when a commit can record what a tracker knows and `more` records, whichever of them
    /// finish first.
    func fits(_ tracker: OffsetTracker, _ more: Int) -> Bool {
        budget.fits(open: tracker.openRuns + more, span: tracker.span + Int64(more))
    }

    var areDone: Bool { inFlight == 0 }

    /// When the next commit is due.
    var due: Instant { finished >= batch || isUrgent ? notBefore : next }

    func isDue(now: Instant) -> Bool { areDone && now >= due }

    /// A record has ended.
    mutating func finishedRecord() {
        isDirty = true
        finished += 1
    }

    /// Something waits for the next commit to be stored: it starts as soon as it may.
    mutating func hurry() {
        isDirty = true
        isUrgent = true
    }

    /// Commits for the given number of partitions have started.
    mutating func started(_ count: Int, now: Instant) {
        finished = 0
        isUrgent = false
        guard count > 0 else { return }
        inFlight += count
        next = now + Self.interval
    }

    /// The source cannot commit now.
    mutating func postpone(now: Instant) {
        next = now + Self.interval
        notBefore = next
    }

    /// The commits of the given number of partitions have ended, in one report or several.
    mutating func ended(_ count: Int) { inFlight = max(0, inFlight - count) }
}
