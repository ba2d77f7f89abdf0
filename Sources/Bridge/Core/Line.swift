internal import Configuration

/// What waits to be sent for one app, and everything that may hold it back.
struct Line: Sendable {
    /// So many pushes may always be underway, however busy Apple is.
    static let leastConcurrency = 16

    /// May be sent; an entry whose stage is no longer `ready` is skipped.
    var ready: RingQueue
    /// Answered, and not reported before the guard lets go.
    var kept = RingQueue(capacity: 1)
    /// Opens when Apple does not let the credential push to this app.
    var breaker = Breaker()
    var invalidation: MassInvalidationGuard
    /// The newest push of each row, by its birth, that was sent since the guard holds.
    var sentWhileHeld: [UInt64: UInt64] = [:]
    var rate: RateLimit?
    /// When the bucket of ``rate`` is full again.
    var rateFullAt: UInt64 = 0
    var concurrency: AdaptiveConcurrency?
    /// How many are sent and have no answer yet.
    var inFlight = 0
    /// No connection takes another one before the next turn.
    var isFull = false
    /// More comes than its rate lets go.
    private(set) var isTooSlow = false
    /// When somebody last looked, nothing had left it for two seconds, and others could move.
    var isLeftBehind = false
    /// It has paused a partition, and the log has said so.
    var hasPaused = false
    private var sentInSecond = 0
    private var idleSeconds = 0
    /// Which endpoint and credential it uses.
    let route: Int

    init(_ settings: WorkerSettings, route: Int) {
        ready = RingQueue(capacity: settings.maxInFlight / settings.apps.count)
        invalidation = MassInvalidationGuard(settings.invalidation)
        rate = settings.rate.perApp.map { RateLimit($0) }
        if settings.rate.isAdaptive {
            concurrency = AdaptiveConcurrency(
                floor: Self.leastConcurrency, ceiling: settings.maxInFlight)
        }
        self.route = route
    }

    /// True when a fault holds it: Apple's refusal of its app, or the guard.
    var isHeld: Bool { breaker.isOpen || invalidation.isHolding }

    /// True when something waits that may be sent as soon as time allows.
    var hasSomethingToSend: Bool { ready.count > 0 || invalidation.isHolding && kept.count > 0 }

    func allowsSending(now: UInt64) -> Bool {
        !isFull && breaker.allowsSending(now: now) && invalidation.allowsSending(now: now)
            && inFlight < concurrency?.limit ?? .max
            && rate?.next(fullAt: rateFullAt) ?? 0 <= now
    }

    /// Takes note of what was sent; true when it is a probe of the guard's.
    mutating func sent(_ place: Int, now: UInt64) -> Bool {
        breaker.sent(place)
        if let rate { rateFullAt = rate.taken(fullAt: rateFullAt, now: now) }
        inFlight += 1
        sentInSecond += 1
        concurrency?.sent(inFlight: inFlight)
        return invalidation.sent()
    }

    /// Something waits in it, and nothing has left it for two seconds.
    var isSilent: Bool { idleSeconds >= 2 }

    /// A second has passed. A line whose rate is limited is too slow when more waits than may go in
    /// a second.
    mutating func passSecond(isHeld: Bool) {
        let isIdle = !isHeld && ready.count > 0 && sentInSecond == 0
        idleSeconds = isIdle ? idleSeconds + 1 : 0
        isTooSlow = rate != nil && !isHeld && ready.count > max(1, sentInSecond)
        sentInSecond = 0
    }

    /// When the next one may go; nil when one may go now, or something else must happen first.
    func deadline(now: UInt64) -> UInt64? {
        let next = rate?.next(fullAt: rateFullAt) ?? 0
        let latest = max(
            next, breaker.deadline(now: now) ?? 0, invalidation.deadline(now: now) ?? 0)
        return latest > now ? latest : nil
    }
}
