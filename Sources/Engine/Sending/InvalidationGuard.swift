internal import Configuration
internal import Delivery

/// Detects when APNs suddenly reports too many device tokens as unregistered or suspect.
///
/// The likely cause is a fault, such as a wrong environment or bundle identifier, rather than so
/// many users leaving at once. Sending is suspended and those verdicts are withheld until an
/// operator releases the guard or a probe succeeds.
struct InvalidationGuard: Sendable {
    /// The number of device tokens in a probe.
    static let probeSize = 20
    static let firstInterval = Duration.seconds(30)
    static let longestInterval = Duration.seconds(600)
    private static let bucketCount: UInt64 = 12

    /// Counts responses that show whether a device token is valid.
    struct Count: Equatable, Sendable {
        var all = 0
        /// Those that report it as unregistered or suspect.
        var bad = 0

        var share: Double { all == 0 ? 0 : Double(bad) / Double(all) }

        mutating func note(isBad: Bool) {
            all += 1
            if isBad { bad += 1 }
        }
    }

    /// The effect of a response.
    enum Change: Equatable, Sendable {
        case nothing
        /// The guard has engaged because of these responses.
        case engaged(Count)
        /// A probe succeeded: the guard, engaged since then, is released.
        case released(since: Instant)
    }

    private struct Bucket {
        var number: UInt64 = 0
        var count = Count()
    }

    let settings: GuardSettings
    private(set) var isEngaged = false
    private var buckets: [Bucket]
    /// In nanoseconds: every response divides the time by it, and a `Duration` has 128 bits.
    private let bucketLength: UInt64
    /// An operator has confirmed the responses: the guard stays released until the share is normal
    /// again.
    private var isOverruled = false
    private var engagedAt = Instant.distantPast
    private var interval = InvalidationGuard.firstInterval
    private var nextProbe = Instant.distantPast
    private var probesOpen = 0
    private var probe = Count()
    /// The current probe may repeat pushes whose verdicts are withheld.
    private var mayRepeat = false

    init(_ settings: GuardSettings) {
        self.settings = settings
        buckets = Array(repeating: Bucket(), count: Int(Self.bucketCount))
        let length = settings.window / Self.bucketCount
        bucketLength = UInt64(max(.nanoseconds(1), length).nanoseconds)
    }

    /// Since when it is engaged; nil when it is not.
    var engagedSince: Instant? { isEngaged ? engagedAt : nil }

    /// Counts a response about a device token. `isProbe` says whether its push was sent while the
    /// guard was engaged.
    mutating func responded(isBad: Bool, isProbe: Bool, now: Instant) -> Change {
        guard !isEngaged else {
            return isProbe ? probeResponded(isBad: isBad, now) : .nothing
        }
        let number = now.nanoseconds / bucketLength
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
        return isOverruled ? .nothing : engage(count, now)
    }

    private func count(upTo number: UInt64) -> Count {
        var sum = Count()
        for bucket in buckets where bucket.number + Self.bucketCount > number {
            sum.all += bucket.count.all
            sum.bad += bucket.count.bad
        }
        return sum
    }

    private mutating func engage(_ count: Count, _ now: Instant) -> Change {
        isEngaged = true
        engagedAt = now
        interval = Self.firstInterval
        startProbe(at: now + interval)
        return .engaged(count)
    }

    private mutating func startProbe(at moment: Instant) {
        nextProbe = moment
        probesOpen = 0
        probe = Count()
        mayRepeat = true
    }

    private mutating func probeResponded(isBad: Bool, _ now: Instant) -> Change {
        probesOpen = max(0, probesOpen - 1)
        probe.note(isBad: isBad)
        guard probe.all >= Self.probeSize else { return .nothing }
        guard probe.share >= settings.share else { return .released(since: end()) }
        interval = min(interval * 2, Self.longestInterval)
        startProbe(at: now + interval)
        return .nothing
    }

    private mutating func end() -> Instant {
        isEngaged = false
        for index in buckets.indices { buckets[index] = Bucket() }
        return engagedAt
    }

    /// An operator confirms the responses. Returns the time at which the guard engaged, if it did.
    /// It does not engage again before the share has been normal once.
    mutating func release() -> Instant? {
        guard isEngaged else { return nil }
        isOverruled = true
        return end()
    }

    /// A probe finished without a response about its device token: another push may replace it.
    mutating func probeLearnedNothing() {
        if isEngaged { probesOpen = max(0, probesOpen - 1) }
    }

    /// True when a push may be sent now.
    @inline(__always)
    func allowsSending(now: Instant) -> Bool {
        !isEngaged || (now >= nextProbe && probe.all + probesOpen < Self.probeSize)
    }

    /// True when the current probe may repeat pushes that were sent before.
    func wantsRepeats(now: Instant) -> Bool { mayRepeat && isEngaged && allowsSending(now: now) }

    /// The number of pushes that the current probe repeats, once.
    mutating func takeRepeats() -> Int {
        mayRepeat = false
        return Self.probeSize - probe.all - probesOpen
    }

    /// When the next probe is due; nil when it may be sent now or has no response yet.
    func deadline(now: Instant) -> Instant? { isEngaged && nextProbe > now ? nextProbe : nil }

    /// Counts a send; true when it is a probe.
    mutating func sent() -> Bool {
        if isEngaged { probesOpen += 1 }
        return isEngaged
    }
}
