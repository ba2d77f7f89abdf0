internal import Delivery

/// Notices that the wall clock parts from the time that the machine has been running.
///
/// Both run at the same rate, and the machine's time goes on while it sleeps: they part only when
/// somebody sets the wall clock. Small corrections are followed.
struct ClockWatch: Sendable {
    /// A step up to this long is a correction.
    static let tolerance: Int64 = 60_000
    /// How often the proofs that end a suspicion are looked for.
    static let proofInterval = Duration.seconds(1)

    /// The wall clock when the machine's time was 0, in milliseconds since 1970; nil at first.
    private var reference: Int64?
    /// Since when the wall clock is in doubt; nil while it is trusted.
    private(set) var suspectedSince: Instant?
    private var nextProof = Instant.distantPast

    /// By how many milliseconds the wall clock parts from what it should be.
    private func step(_ wallClock: Int64, _ bootTime: Instant) -> Int64 {
        guard let reference else { return 0 }
        return wallClock - Int64(bootTime.nanoseconds / 1_000_000) - reference
    }

    /// True when the wall clock must be judged now: it has parted, or is in doubt. Otherwise it is
    /// followed.
    mutating func mustBeJudged(_ wallClock: Int64, _ bootTime: Instant, now: Instant) -> Bool {
        guard suspectedSince == nil else { return now >= nextProof }
        guard abs(step(wallClock, bootTime)) <= Self.tolerance else { return true }
        trust(wallClock, bootTime)
        return false
    }

    /// Judges a wall clock that has parted or is in doubt; `isProven` says that somebody vouches
    /// for it.
    mutating func judge(
        _ wallClock: Int64, _ bootTime: Instant, isProven: Bool, now: Instant
    ) -> Change {
        let step = step(wallClock, bootTime)
        nextProof = now + Self.proofInterval
        guard isProven || abs(step) <= Self.tolerance else {
            guard suspectedSince == nil else { return .nothing }
            suspectedSince = now
            return .suspected(step: step)
        }
        let was = suspectedSince
        trust(wallClock, bootTime)
        return was == nil ? .nothing : .trusted
    }

    /// From now on the wall clock is right.
    mutating func trust(_ wallClock: Int64, _ bootTime: Instant) {
        reference = wallClock - Int64(bootTime.nanoseconds / 1_000_000)
        suspectedSince = nil
    }

    /// When the next proof is looked for; nil while the clock is trusted.
    var deadline: Instant? { suspectedSince == nil ? nil : nextProof }

    /// What a judgement changes.
    enum Change: Equatable, Sendable {
        case nothing
        /// The wall clock was set by so many milliseconds, and nobody vouches for it.
        case suspected(step: Int64)
        /// It is trusted again.
        case trusted
    }
}
