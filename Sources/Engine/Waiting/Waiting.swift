internal import Configuration
internal import Delivery
internal import Encoding
internal import EventLoop

/// A drain or revocation whose records are being abandoned.
struct Abandonment: Sendable {
    /// The partition; nil for all.
    let assignment: AssignmentID?
    /// The slot of the record to examine next.
    var nextSlot = 0
}

/// Owns what is done later: when waiting pushes are due and how long the next one waits, when all
/// pushes are looked at, and which are still to be abandoned.
///
/// No other code names what it stores.
struct Waiting: ~Copyable {
    /// The interval between searches for pushes whose deadline has passed.
    static let sweepInterval = Duration.seconds(1)
    /// The most pushes that one turn abandons; a record is never split between turns.
    static let abandonsPerTurn = 4096

    private let retry: RetryPolicy
    /// The source of the back-off's jitter.
    private var random: SeededGenerator
    /// When waiting pushes are due, with references to some that wait no longer.
    private var retries = DeadlineQueue<PushID>()
    private var nextSweep = Instant.distantPast
    /// What the last sweep found.
    private var census: PushCensus
    private var countsApps = false
    /// Drains and revocations whose pushes are still to be abandoned.
    private var abandonments: [Abandonment] = []
    /// How many pushes this turn may still abandon.
    private var abandonsLeft = Waiting.abandonsPerTurn

    /// `seed` determines the jitter.
    init(_ settings: EngineSettings, seed: UInt64) {
        retry = settings.retry
        random = SeededGenerator(seed: seed)
        census = PushCensus(pushes: settings.routesOfQueues.map { _ in 0 })
    }

    /// How long to wait after that many failures.
    mutating func delay(afterAttempts count: Int) -> Duration {
        retry.delay(afterAttempts: count, random: random.next())
    }

    /// When the next waiting push is due; nil when none waits.
    var nextDue: Instant? { retries.next }

    /// The number of references to waiting pushes.
    var referenceCount: Int { retries.count }

    /// A push waits until a moment.
    mutating func add(_ id: PushID, until moment: Instant) { retries.add(moment, id) }

    /// A push that was to wait until now; it may be done, or wait for longer.
    mutating func popDue(now: Instant) -> PushID? { retries.popExpired(at: now)?.item }

    /// Removes references to pushes that do not wait for them any more, once there are many.
    mutating func trim(_ pushes: borrowing PushTable) {
        guard retries.count > 2 * pushes.count + 64 else { return }
        for entry in retries.takeAll() {
            guard pushes.isCurrent(entry.item), case .waiting(let until) = pushes[entry.item].state,
                until == entry.deadline
            else { continue }
            retries.add(entry.deadline, entry.item)
        }
    }
}

// MARK: Sweeps

extension Waiting {
    /// When all pushes are looked at next.
    var sweepDue: Instant { nextSweep }

    /// True once an interval: all pushes are to be looked at.
    mutating func takeSweep(now: Instant) -> Bool {
        guard now >= nextSweep else { return false }
        nextSweep = now + Self.sweepInterval
        return true
    }

    /// Skips sweeps before a moment.
    mutating func skipSweeps(until moment: Instant) {
        guard moment > nextSweep else { return }
        nextSweep += (moment - nextSweep).roundedUp(to: Self.sweepInterval)
    }
}

// MARK: The census

extension Waiting {
    /// All pushes are about to be counted, with `countingApps` by app.
    mutating func beginCensus(countingApps: Bool) {
        census = PushCensus(pushes: census.pushes.map { _ in 0 })
        countsApps = countingApps
    }

    /// Counts a push that is not done.
    mutating func count(_ app: AppID, event: Int64) {
        census.oldestEvent = min(census.oldestEvent, event)
        if countsApps, app != .none { census.pushes[app.index] += 1 }
    }

    /// The time of the oldest event with a push that was not done, in milliseconds since 1970; nil
    /// when there was none.
    var oldestEvent: Int64? { census.oldestEvent < .max ? census.oldestEvent : nil }

    /// How many pushes of an app were not done, if they were counted.
    func openPushes(of app: AppID) -> Int { census.pushes[app.index] }
}

// MARK: Abandoning

extension Waiting {
    /// True while pushes are still to be abandoned.
    var isAbandoning: Bool { !abandonments.isEmpty }

    /// The drain or revocation whose records are examined next.
    var abandonment: Abandonment? { abandonments.first }

    /// True while this turn may abandon more pushes.
    var mayAbandon: Bool { abandonsLeft > 0 }

    /// A turn begins.
    mutating func startTurn() { abandonsLeft = Self.abandonsPerTurn }

    /// The worker ends: all pushes are abandoned at once.
    mutating func abandonWithoutLimit() { abandonsLeft = .max }

    /// The pushes of a partition, or of all, are to be abandoned.
    mutating func beginAbandoning(_ assignment: AssignmentID?) {
        abandonments.append(Abandonment(assignment: assignment))
    }

    /// A push is abandoned.
    mutating func noteAbandoned() { abandonsLeft -= 1 }

    /// Leaves the records from a slot on to the next turn.
    mutating func continueAbandoning(at slot: Int) { abandonments[0].nextSlot = slot }

    /// All records have been examined.
    mutating func endAbandoning() { abandonments.removeFirst() }
}
