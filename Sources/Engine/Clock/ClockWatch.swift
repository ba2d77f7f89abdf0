internal import Delivery

/// Notices that the wall clock is wrong: it parts from the time that the machine has been running,
/// or a broker contradicts it.
///
/// The first two run at the same rate, and the machine's time goes on while it sleeps: they part
/// only when somebody sets the wall clock. Small corrections are followed.
struct ClockWatch: Sendable {
    /// A step up to this long is a correction.
    static let tolerance: Int64 = 60_000
    /// How often the proofs that end a suspicion are looked for.
    static let proofInterval = Duration.seconds(1)

    /// The time since the machine started, as of this turn.
    private var bootTime = Instant.distantPast
    /// The wall clock when the machine's time was 0, in milliseconds since 1970; nil at first.
    private var reference: Int64?
    /// Since when the wall clock is in doubt; nil while it is trusted.
    private(set) var suspectedSince: Instant?
    /// By how many milliseconds it is ahead of a broker's clock that contradicts it; nil for none.
    private(set) var lead: Int64?
    /// By how many a broker's clock may be behind: somebody has vouched for the wall clock then.
    private var acceptedLead: Int64 = 0
    private var nextProof = Instant.distantPast
    /// For how long the machine has slept, and when that was last noticed.
    private var slept = Duration.zero
    private var wokenAt = Instant.distantPast

    /// True while it is in doubt, or a broker contradicts it and that is not judged yet.
    var isInDoubt: Bool { suspectedSince != nil || lead != nil }

    /// By how many milliseconds the wall clock parts from what it should be.
    private func step(_ wallClock: Int64) -> Int64 {
        guard let reference else { return 0 }
        return wallClock - Int64(bootTime.nanoseconds / 1_000_000) - reference
    }

    /// True when the wall clock must be judged now: it has parted, or is in doubt. Otherwise it is
    /// followed.
    mutating func mustBeJudged(_ wallClock: Int64, _ bootTime: Instant, now: Instant) -> Bool {
        self.bootTime = bootTime
        noteSleep(now.duration(to: bootTime), now)
        guard suspectedSince == nil else { return now >= nextProof }
        guard lead == nil, abs(step(wallClock)) <= Self.tolerance else { return true }
        trust(wallClock)
        return false
    }

    private mutating func noteSleep(_ total: Duration, _ now: Instant) {
        if total > slept + .seconds(1) { wokenAt = now }
        slept = total
    }

    /// Compares the wall clock with the broker's time of a record that has just come to the end of
    /// its log: it was stored after that end was seen.
    mutating func compare(_ appended: AppendTime, _ wallClock: Int64, now: Instant) {
        // Nothing runs while a machine sleeps but the wall clock.
        guard !isInDoubt, appended.notBefore > wokenAt else { return }
        let then = wallClock - appended.notBefore.duration(to: now).milliseconds
        let lead = then - appended.time
        guard lead > acceptedLead + Self.tolerance else { return }
        self.lead = lead
        reference = wallClock - Int64(bootTime.nanoseconds / 1_000_000) - lead
    }

    /// Judges a wall clock that has parted or is in doubt; `isProven` says that somebody vouches
    /// for it.
    mutating func judge(_ wallClock: Int64, isProven: Bool, now: Instant) -> Change {
        let step = step(wallClock)
        nextProof = now + Self.proofInterval
        guard isProven || abs(step) <= Self.tolerance else {
            guard suspectedSince == nil else { return .nothing }
            suspectedSince = now
            return .suspected(step: step, byBroker: lead != nil)
        }
        let change: Change =
            suspectedSince != nil ? .trusted : lead != nil ? .vouchedFor : .nothing
        if isProven { confirm(wallClock) } else { trust(wallClock) }
        return change
    }

    /// Somebody vouches for the wall clock: a broker's that contradicts it is wrong.
    mutating func confirm(_ wallClock: Int64) {
        acceptedLead = max(acceptedLead, lead ?? 0)
        trust(wallClock)
    }

    /// From now on the wall clock is right.
    private mutating func trust(_ wallClock: Int64) {
        reference = wallClock - Int64(bootTime.nanoseconds / 1_000_000)
        suspectedSince = nil
        lead = nil
    }

    /// When the next proof is looked for; nil while the clock is trusted.
    var deadline: Instant? { isInDoubt ? nextProof : nil }

    /// What a judgement changes.
    enum Change: Equatable, Sendable {
        case nothing
        /// The wall clock was set by so many milliseconds, or a broker's is so far behind, and
        /// nobody vouches for it.
        case suspected(step: Int64, byBroker: Bool)
        /// A broker contradicted it, but somebody vouches for it.
        case vouchedFor
        /// It is trusted again.
        case trusted
    }
}
