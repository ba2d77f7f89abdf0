internal import Configuration
internal import Delivery

/// All pushes that wait to be sent for one app, and everything that may suspend it.
struct AppQueue: Sendable {
    /// The concurrency that is always allowed, however busy APNs is.
    static let leastConcurrency = 16

    /// The pushes to send; entries whose push is not queued are skipped.
    var pushes: PushLanes
    /// Verdicts that the guard withholds.
    var withheld = RingQueue(capacity: 1)
    /// Opens when APNs rejects the credential for this app.
    var breaker = CircuitBreaker()
    /// APNs has accepted a push to the app's own topic since its credential was last changed or
    /// refused.
    var isOwnTopicProven = false
    /// The pushes that have suspended sending and are not done.
    var suspects: [SuspectPush] = []
    /// The response that last suspended sending, for the app alone or for its route.
    var refusal: EngineState.Refusal?
    var invalidation: InvalidationGuard
    /// When sending was suspended before.
    var suspensions = Suspensions()
    /// The sequence of the newest push of each ordering key that was sent since the guard engaged.
    var sentWhileEngaged: [UInt64: UInt64] = [:]
    var rate: RateLimit?
    /// When the bucket of ``rate`` is full again.
    var rateFullAt = Instant.distantPast
    var concurrency: AdaptiveConcurrency?
    /// Pushes in flight.
    var inFlight = 0
    /// No connection has room until sending starts the next time.
    var isFull = false
    /// When APNs last accepted one of its pushes.
    var lastAccepted = Instant.distantPast
    /// More pushes arrive than its rate allows.
    private(set) var exceedsRate = false
    /// No push was sent for two seconds, while other apps could send.
    var isLeftBehind = false
    /// It has paused a partition, and this has been logged.
    var hasPaused = false
    private var sentInSecond = 0
    private var idleSeconds = 0
    /// The route it uses: an endpoint and a credential.
    let route: Int

    init(_ settings: EngineSettings, route: Int) {
        pushes = PushLanes(capacity: settings.maxInFlight / settings.apps.count)
        invalidation = InvalidationGuard(settings.invalidation)
        rate = settings.rate.perApp.map { RateLimit($0) }
        if settings.rate.isAdaptive {
            concurrency = AdaptiveConcurrency(
                floor: Self.leastConcurrency, ceiling: settings.maxInFlight)
        }
        self.route = route
    }

    /// Changes the rate; the bucket stays as full as it is.
    mutating func change(rate new: RateLimit, now: Instant) {
        rate = new
        rateFullAt = new.adopted(fullAt: rateFullAt, now: now)
    }

    /// True when a fault suspends the app: a rejection by APNs, or the guard.
    var isSuspended: Bool { breaker.isOpen || invalidation.isEngaged }

    /// True when it contains pushes that may be sent as soon as time allows.
    var hasSomethingToSend: Bool {
        pushes.count > 0 || invalidation.isEngaged && withheld.count > 0
    }

    mutating func allowsSending(now: Instant) -> Bool {
        !isFull && isDue(now: now)
    }

    /// True when a push may be sent now, provided that a connection has room.
    mutating func isDue(now: Instant) -> Bool {
        guard breaker.allowsSending(now: now), invalidation.allowsSending(now: now) else {
            return false
        }
        if let concurrency, inFlight >= concurrency.limit { return false }
        if let rate, rate.next(fullAt: rateFullAt) > now { return false }
        return true
    }

    /// Records a send; true when it is a probe of the guard.
    mutating func sent(_ id: PushID, now: Instant) -> Bool {
        breaker.sent(id)
        if let rate { rateFullAt = rate.taken(fullAt: rateFullAt, now: now) }
        inFlight += 1
        sentInSecond += 1
        concurrency?.sent(inFlight: inFlight)
        return invalidation.sent()
    }

    /// True when pushes wait and none was sent for two seconds.
    var isSilent: Bool { idleSeconds >= 2 }

    /// A second has passed. A queue exceeds its rate when more pushes wait than may be sent in a
    /// second.
    mutating func passSecond(isSuspended: Bool) {
        let isIdle = !isSuspended && pushes.count > 0 && sentInSecond == 0
        idleSeconds = isIdle ? idleSeconds + 1 : 0
        exceedsRate = rate != nil && !isSuspended && pushes.count > max(1, sentInSecond)
        sentInSecond = 0
    }

    /// When the next push may be sent; nil when one may be sent now, or when that depends on an
    /// event.
    func deadline(now: Instant) -> Instant? {
        let latest = max(
            rate?.next(fullAt: rateFullAt) ?? .distantPast,
            breaker.deadline(now: now) ?? .distantPast,
            invalidation.deadline(now: now) ?? .distantPast)
        return latest > now ? latest : nil
    }
}
