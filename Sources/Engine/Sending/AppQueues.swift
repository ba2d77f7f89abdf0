internal import APNs
internal import Configuration
internal import Delivery

/// A queue for each app, so that suspending one app does not stop the others, and once there are
/// broadcasts, another one for those of each app.
///
/// They take turns, a few pushes each. A route's queues share a circuit breaker for the credential,
/// and each queue has its own as well.
struct AppQueues: Sendable {
    /// The number of pushes that one app sends before it is the next one's turn.
    static let burst = 16

    private var queues: [AppQueue]
    /// The breakers of the routes: they open when APNs rejects the credential.
    private var breakers: [CircuitBreaker]
    /// The credential of each route that APNs accepted last.
    private var credentials: [CredentialVersion]
    /// True when the head of some queue may have changed.
    var headsChanged = false
    /// Routes whose credential APNs has refused since the worker last asked.
    var refusedRoutes: [Int] = []
    /// Since when an operator has paused sending; nil while it is not paused.
    var pausedSince: Instant?
    private var current = 0
    private var left = AppQueues.burst

    init(_ settings: EngineSettings) {
        queues = settings.apps.map { AppQueue(settings, route: $0.route) }
        apps = queues.indices.map { AppID($0) }
        appCount = queues.count
        let routes = (settings.apps.map(\.route).max() ?? 0) + 1
        breakers = Array(repeating: CircuitBreaker(), count: routes)
        credentials = Array(repeating: .first, count: routes)
    }

    var count: Int { queues.count }
    /// Every queue.
    private(set) var apps: [AppID]
    private let appCount: Int

    /// There are broadcasts: adds their queues. A connector without any has no use for them. False
    /// if they are there.
    mutating func addBroadcasts(_ settings: EngineSettings) -> Bool {
        guard queues.count == appCount else { return false }
        for index in 0..<appCount {
            // The rate of an app may have changed since the start.
            var queue = AppQueue(settings, route: queues[index].route)
            queue.rate = queues[index].rate
            queues.append(queue)
        }
        apps = queues.indices.map { AppID($0) }
        return true
    }

    /// True for the queue of an app's broadcasts.
    func isForBroadcasts(_ app: AppID) -> Bool { app.index >= appCount }

    // Inlined: a separate call would allocate for each push.
    subscript(app: AppID) -> AppQueue {
        _read { yield queues[app.index] }
        _modify { yield &queues[app.index] }
    }

    /// The breaker of the route that an app uses.
    subscript(breakerOf app: AppID) -> CircuitBreaker {
        _read { yield breakers[queues[app.index].route] }
        _modify { yield &breakers[queues[app.index].route] }
    }

    /// APNs has accepted another credential on a route.
    mutating func adopt(_ credential: CredentialVersion, route: Int) {
        credentials[route] = max(credentials[route], credential)
    }

    /// True when a route's credential has been replaced: responses to it say nothing about the
    /// current one.
    func isReplaced(_ credential: CredentialVersion, route: Int) -> Bool {
        credential < credentials[route]
    }

    /// The apps of a route.
    func apps(of route: Int) -> [AppID] { apps.filter { self[$0].route == route } }

    /// True when a fault of the credential, the app or its device tokens suspends sending for an
    /// app.
    func isSuspended(_ app: AppID) -> Bool {
        self[app].isSuspended || self[breakerOf: app].isOpen
    }

    /// Since when a fault suspends sending for an app; nil when none does.
    func suspendedSince(_ app: AppID) -> Instant? {
        [self[breakerOf: app].openSince, self[app].breaker.openSince,
            self[app].invalidation.engagedSince,
        ].compactMap(\.self).min()
    }

    /// The same, also for a pause by an operator.
    func heldSince(_ app: AppID) -> Instant? {
        [suspendedSince(app), pausedSince].compactMap(\.self).min()
    }

    /// How much of the time from `start` to `now` sending was suspended or paused for an app.
    func suspendedTime(of app: AppID, from start: Instant, to now: Instant) -> Duration {
        guard app != .none else { return .zero }
        return self[app].suspensions.duration(from: start, to: now, ongoing: heldSince(app))
    }

    /// True when an app's queue does not move while others could.
    ///
    /// When no queue moves, for example because APNs is silent, all pushes wait in the window and
    /// resume at once.
    func isStalled(_ app: AppID) -> Bool {
        queues.count > 1
            && (isSuspended(app) || self[app].exceedsRate || self[app].isLeftBehind)
    }

    /// How many pushes wait until a connection has room for them. Those of a suspended or stalled
    /// app wait for something else.
    var waitingToBeSent: Int { apps.reduce(0) { $0 + waitingToBeSent(of: $1) } }

    /// How many more pushes may wait to be sent if `maximum` of each app may.
    ///
    /// Each app has room of its own, and keeps it while it is suspended or stalled: however many
    /// pushes wait for one of them, the records of the others are taken.
    func room(forEach maximum: Int) -> Int {
        apps.reduce(0) { $0 + max(0, maximum - waitingToBeSent(of: $1)) }
    }

    private func waitingToBeSent(of app: AppID) -> Int {
        isSuspended(app) || isStalled(app) ? 0 : self[app].pushes.count
    }

    /// For every app, whether its queue is stalled.
    var stalled: [Bool] { apps.map(isStalled) }

    /// A second has passed for every queue.
    mutating func passSecond() {
        for app in apps { self[app].passSecond(isSuspended: isSuspended(app)) }
        for app in apps {
            let canOthersMove = apps.contains {
                $0 != app && !isSuspended($0) && !self[$0].isSilent && says($0, of: app)
            }
            self[app].isLeftBehind = self[app].isSilent && canOthersMove
        }
    }

    /// False for the other queue of the same app if it is empty: it uses the same connections, and
    /// whether APNs responds there is not known.
    private func says(_ other: AppID, of app: AppID) -> Bool {
        other.index % appCount != app.index % appCount || self[other].pushes.count > 0
    }

    /// True when a fault suspends any app.
    var isAnySuspended: Bool { apps.contains(where: isSuspended) }

    // Mutating, because a call that only borrows a queue copies it.
    mutating func allowsSending(_ app: AppID, now: Instant) -> Bool {
        let route = queues[app.index].route
        return queues[app.index].allowsSending(now: now) && breakers[route].allowsSending(now: now)
    }

    /// The same, provided that a connection has room.
    mutating func isDue(_ app: AppID, now: Instant) -> Bool {
        self[app].isDue(now: now) && self[breakerOf: app].allowsSending(now: now)
    }

    /// The next push of the first app that may send one, starting with the app whose turn it is.
    mutating func next(now: Instant) -> PushID? {
        var index = current
        for _ in queues.indices {
            if let id = queues[index].pushes.first, allowsSending(AppID(index), now: now) {
                return id
            }
            index = index + 1 == queues.count ? 0 : index + 1
        }
        return nil
    }

    /// The first push of an app was sent; true when it is a probe of the guard.
    mutating func sent(_ id: PushID, _ app: AppID, now: Instant) -> Bool {
        if app.index != current { pass(to: app.index) }
        self[app].pushes.popFirst()
        self[breakerOf: app].sent(id)
        let isProbe = self[app].sent(id, now: now)
        left -= 1
        if left == 0 || isSuspended(app) {
            pass(to: current + 1 == queues.count ? 0 : current + 1)
        }
        return isProbe
    }

    private mutating func pass(to index: Int) {
        current = index
        left = Self.burst
    }

    /// Connections may have more room than in the previous turn.
    mutating func startTurn() {
        for index in queues.indices { queues[index].isFull = false }
    }

    /// When a queue with waiting pushes may continue; nil when none depends on time.
    func deadline(now: Instant) -> Instant? {
        var earliest: Instant?
        for queue in queues where queue.hasSomethingToSend {
            let own = queue.deadline(now: now)
            let shared = breakers[queue.route].deadline(now: now)
            guard let next = [own, shared].compactMap({ $0 }).max() else { continue }
            earliest = min(earliest ?? next, next)
        }
        return earliest
    }
}

/// Identifies a queue: that of an app's pushes to devices by the app's index in the connector; that
/// of its broadcasts by an index after those of all apps.
package struct AppID: Hashable, Sendable, BitwiseCopyable {
    private let number: Int16

    /// No app matches the push, which is dropped.
    package static let none = AppID(-1)

    /// Creates an ID from an index; any negative index is ``none``.
    package init(_ index: Int) { number = Int16(max(-1, index)) }

    /// The index of the app; -1 for ``none``.
    package var index: Int { Int(number) }
}
