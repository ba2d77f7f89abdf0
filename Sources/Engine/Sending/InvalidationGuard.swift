internal import Configuration
internal import Delivery

/// Detects when APNs suddenly reports too many device tokens as unregistered or suspect.
///
/// It counts device tokens, not responses: one that is pushed to often counts once. Where few
/// responses come within the window, it looks at the latest tokens, however long they took.
///
/// The likely cause is a fault, such as a wrong environment or bundle identifier, rather than so
/// many users leaving at once. Sending is suspended and those verdicts are withheld until an
/// operator releases the guard or a probe succeeds.
struct InvalidationGuard: Sendable {
    /// The number of device tokens in a probe.
    static let probeSize = 20
    static let firstInterval = Duration.seconds(30)
    static let maxInterval = Duration.seconds(600)
    /// So many tokens are judged however long ago their responses came, where few come.
    static let latestTokens = 40
    /// The share of bad ones among those from which something must be wrong.
    static let latestShare = 0.5
    /// The most tokens that are counted.
    private static let maxTokens = 64_000
    private static let usualTokens = 4000

    /// Counts device tokens.
    typealias Count = RecentTokens.Count

    /// The effect of a response.
    enum Change: Equatable, Sendable {
        case nothing
        /// The guard has engaged because of these responses.
        case engaged(Count)
        /// A probe succeeded: the guard, engaged since then, is released.
        case released(since: Instant)
    }

    let settings: GuardSettings
    private(set) var isEngaged = false
    private var tokens: RecentTokens
    private let minimum: Int
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
        minimum = min(settings.minimum, Self.maxTokens)
        tokens = RecentTokens(
            capacity: min(Self.maxTokens, max(Self.usualTokens, 2 * minimum)),
            window: settings.window)
    }

    /// Since when it is engaged; nil when it is not.
    var engagedSince: Instant? { isEngaged ? engagedAt : nil }

    /// True when a response to such a push counts.
    func counts(isProbe: Bool) -> Bool { !isEngaged || isProbe }

    /// Records a response about a device token, which is known by its hash. `isProbe` says whether
    /// its push was sent while the guard was engaged.
    mutating func responded(_ token: UInt64, isBad: Bool, isProbe: Bool, now: Instant) -> Change {
        guard !isEngaged else {
            return isProbe ? probeResponded(isBad: isBad, now) : .nothing
        }
        tokens.note(token, isBad: isBad, now: now)
        guard isBad || isOverruled else { return .nothing }
        let isFew = tokens.inWindow.all < minimum
        let count = isFew ? tokens.latest(Self.latestTokens) : tokens.inWindow
        guard !isFew || count.all == Self.latestTokens else { return .nothing }
        if count.share <= settings.share { isOverruled = false }
        guard count.share > limit(of: count), !isOverruled else { return .nothing }
        return engage(count, now)
    }

    /// The share above which a number of tokens engages the guard: a few of them may well be bad
    /// by chance.
    func limit(of count: Count) -> Double {
        count.all < minimum ? max(settings.share, Self.latestShare) : settings.share
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
        interval = min(interval * 2, Self.maxInterval)
        startProbe(at: now + interval)
        return .nothing
    }

    private mutating func end() -> Instant {
        isEngaged = false
        tokens.removeAll()
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
