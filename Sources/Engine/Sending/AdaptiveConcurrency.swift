internal import Delivery

/// How many pushes of an app may be in flight, derived from how APNs responds.
///
/// Additive increase, multiplicative decrease, once a second: when APNs reports that it is too busy
/// or takes three times as long as at its best, the limit decreases by a third; otherwise, if the
/// limit was reached, it increases by a twentieth of the ceiling. Times are in milliseconds.
struct AdaptiveConcurrency: Equatable, Sendable {
    static let interval = Duration.seconds(1)
    /// The share of busy responses from which APNs counts as too busy.
    static let busyShare = 0.05
    /// An average below this is never too slow.
    static let fastEnough = 100.0
    private static let minimum = 10

    let floor: Int
    let ceiling: Int
    private(set) var limit: Int
    private var endsAt = Instant.distantPast
    private var responses = 0
    private var busy = 0
    /// The responses whose time is known, and the sum of these times.
    private var timed = 0
    private var sum: Int64 = 0
    private var peak = 0
    /// The best average of an interval; it decays slowly.
    private var best: Double?

    init(floor: Int, ceiling: Int) {
        self.floor = min(floor, ceiling)
        self.ceiling = ceiling
        limit = ceiling
    }

    /// Records a send; `inFlight` pushes are in flight now.
    mutating func sent(inFlight: Int) { peak = max(peak, inFlight) }

    /// Records a response. A missing one counts as busy. A negative time says that the clock was
    /// set back meanwhile, and that nobody knows how long the response took.
    mutating func responded(isBusy: Bool, after milliseconds: Int64, now: Instant) {
        if endsAt == .distantPast { endsAt = now + Self.interval }
        responses += 1
        if isBusy { busy += 1 }
        if milliseconds >= 0 {
            timed += 1
            sum += milliseconds
        }
        guard now >= endsAt, responses >= Self.minimum else { return }
        adapt()
        (responses, busy, timed, sum, peak) = (0, 0, 0, 0, 0)
        endsAt = now + Self.interval
    }

    private mutating func adapt() {
        let isSlow = noteAverage()
        if Double(busy) >= Self.busyShare * Double(responses) || isSlow {
            limit = max(floor, min(limit, peak) * 2 / 3)
        } else if peak * 5 >= limit * 4 {
            limit = min(ceiling, limit + max(1, ceiling / 20))
        }
    }

    /// Compares the average time of a response with the best one; true when it is too slow.
    private mutating func noteAverage() -> Bool {
        guard timed > 0 else { return false }
        let average = Double(sum) / Double(timed)
        let usual = min(best ?? average, average)
        best = usual * 1.01 + 0.01
        return average > Self.fastEnough && average > 3 * usual
    }
}
