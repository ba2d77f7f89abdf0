internal import Configuration

/// Notices when Apple suddenly calls too many device tokens dead or suspect.
///
/// Then it is more likely that something else is wrong, such as an environment or a bundle
/// identifier, than that so many people have left at once. So nothing more is sent and nothing is
/// told of those tokens, until an operator says so or a probe comes out well.
struct MassInvalidationGuard: Sendable {
    /// How many device tokens make a probe.
    static let probeSize = 20
    static let firstInterval: UInt64 = 30_000_000_000
    static let longestInterval: UInt64 = 600_000_000_000
    private static let bucketCount: UInt64 = 12

    /// Answers that say whether a device token is good.
    struct Count: Equatable, Sendable {
        var all = 0
        /// Those that call it dead or suspect.
        var bad = 0

        var share: Double { all == 0 ? 0 : Double(bad) / Double(all) }

        mutating func note(isBad: Bool) {
            all += 1
            if isBad { bad += 1 }
        }
    }

    /// What an answer has changed.
    enum Change: Equatable, Sendable {
        case nothing
        /// The line is held from now on, because of these answers.
        case held(Count)
        /// A probe came out well: the line goes on, which was held since then.
        case released(since: UInt64)
    }

    private struct Bucket {
        var number: UInt64 = 0
        var count = Count()
    }

    let settings: GuardSettings
    private(set) var isHolding = false
    private var buckets: [Bucket]
    /// An operator has called the answers true: they are believed until they are usual again.
    private var isOverruled = false
    private var heldSince: UInt64 = 0
    private var interval = MassInvalidationGuard.firstInterval
    private var nextProbe: UInt64 = 0
    private var probesOpen = 0
    private var probe = Count()
    /// The present probe may ask again for tokens whose verdicts are kept.
    private var mayRepeat = false

    init(_ settings: GuardSettings) {
        self.settings = settings
        buckets = Array(repeating: Bucket(), count: Int(Self.bucketCount))
    }

    /// Takes note of an answer about a device token. `isProbe` says whether it was sent while the
    /// line was held.
    mutating func answered(isBad: Bool, isProbe: Bool, now: UInt64) -> Change {
        guard !isHolding else {
            return isProbe ? probeAnswered(isBad: isBad, now) : .nothing
        }
        let length = max(1, settings.windowNanoseconds / Self.bucketCount)
        let number = now / length
        let index = Int(number % Self.bucketCount)
        if buckets[index].number != number { buckets[index] = Bucket(number: number) }
        buckets[index].count.note(isBad: isBad)
        guard isBad || isOverruled else { return .nothing }
        let count = count(upTo: number)
        guard count.all >= settings.minimum else { return .nothing }
        guard count.share > settings.share else {
            isOverruled = false
            return .nothing
        }
        return isOverruled ? .nothing : hold(count, now)
    }

    private func count(upTo number: UInt64) -> Count {
        var sum = Count()
        for bucket in buckets where bucket.number + Self.bucketCount > number {
            sum.all += bucket.count.all
            sum.bad += bucket.count.bad
        }
        return sum
    }

    private mutating func hold(_ count: Count, _ now: UInt64) -> Change {
        isHolding = true
        heldSince = now
        interval = Self.firstInterval
        startProbe(at: now + interval)
        return .held(count)
    }

    private mutating func startProbe(at moment: UInt64) {
        nextProbe = moment
        probesOpen = 0
        probe = Count()
        mayRepeat = true
    }

    private mutating func probeAnswered(isBad: Bool, _ now: UInt64) -> Change {
        probesOpen = max(0, probesOpen - 1)
        probe.note(isBad: isBad)
        guard probe.all >= Self.probeSize else { return .nothing }
        guard probe.share >= settings.share else { return .released(since: end()) }
        interval = min(interval * 2, Self.longestInterval)
        startProbe(at: now + interval)
        return .nothing
    }

    private mutating func end() -> UInt64 {
        isHolding = false
        for index in buckets.indices { buckets[index] = Bucket() }
        return heldSince
    }

    /// An operator says that the answers are to be believed: since when the line was held, if it
    /// was. It is not held again before the share has been usual once.
    mutating func overrule() -> UInt64? {
        guard isHolding else { return nil }
        isOverruled = true
        return end()
    }

    /// A probe ended without an answer about its device token: another one may go in its place.
    mutating func probeLearnedNothing() {
        if isHolding { probesOpen = max(0, probesOpen - 1) }
    }

    /// True when a notification may be sent now.
    func allowsSending(now: UInt64) -> Bool {
        !isHolding || (now >= nextProbe && probe.all + probesOpen < Self.probeSize)
    }

    /// True when the present probe may go on with tokens that were asked for before.
    func wantsRepeats(now: UInt64) -> Bool { mayRepeat && isHolding && allowsSending(now: now) }

    /// How many tokens the present probe asks for again, which it does once.
    mutating func takeRepeats() -> Int {
        mayRepeat = false
        return Self.probeSize - probe.all - probesOpen
    }

    /// When the next probe may go; nil when one may go now, or has no answer yet.
    func deadline(now: UInt64) -> UInt64? { isHolding && nextProbe > now ? nextProbe : nil }

    /// Takes note of what was sent; true when it is a probe.
    mutating func sent() -> Bool {
        if isHolding { probesOpen += 1 }
        return isHolding
    }
}
