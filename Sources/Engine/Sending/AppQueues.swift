internal import APNs
internal import Configuration
internal import Delivery

/// A queue for each app, so that what suspends one app does not stop the others.
///
/// They take turns, a few pushes each. A breaker stands before all queues of a route, which share a
/// credential, and each queue has one of its own.
struct AppQueues: Sendable {
    /// So many pushes of one app go before another one has its turn.
    static let burst = 16

    private var queues: [AppQueue]
    /// Those of the routes: they open when APNs rejects the credential.
    private var breakers: [CircuitBreaker]
    /// By route, the credential that APNs accepted last.
    private var credentials: [CredentialVersion]
    private var current = 0
    private var left = AppQueues.burst

    init(_ settings: EngineSettings) {
        queues = settings.apps.map { AppQueue(settings, route: $0.route) }
        apps = settings.apps.indices.map { AppID($0) }
        let routes = (settings.apps.map(\.route).max() ?? 0) + 1
        breakers = Array(repeating: CircuitBreaker(), count: routes)
        credentials = Array(repeating: .first, count: routes)
    }

    var count: Int { queues.count }
    /// Every app.
    let apps: [AppID]

    // Inlined: a call of its own allocates, for each push.
    subscript(app: AppID) -> AppQueue {
        @inline(__always) _read { yield queues[app.index] }
        @inline(__always) _modify { yield &queues[app.index] }
    }

    /// The breaker of the credential and endpoint that an app uses.
    subscript(breakerOf app: AppID) -> CircuitBreaker {
        _read { yield breakers[queues[app.index].route] }
        _modify { yield &breakers[queues[app.index].route] }
    }

    /// APNs has accepted another credential of a route.
    mutating func adopt(_ credential: CredentialVersion, route: Int) {
        credentials[route] = max(credentials[route], credential)
    }

    /// True for a credential of a route that another one has replaced: what APNs says of it says
    /// nothing of the one in use.
    func isReplaced(_ credential: CredentialVersion, route: Int) -> Bool {
        credential < credentials[route]
    }

    /// The apps of a route.
    func apps(of route: Int) -> [AppID] { apps.filter { self[$0].route == route } }

    /// True when a fault suspends sending for an app: its credential's, its own, or its tokens'.
    func isSuspended(_ app: AppID) -> Bool {
        self[app].isSuspended || self[breakerOf: app].isOpen
    }

    /// True when an app's queue does not move, and there are others that could.
    ///
    /// Where nobody moves, as when APNs is silent, all wait in the window, and are back at once.
    func isStalled(_ app: AppID) -> Bool {
        queues.count > 1
            && (isSuspended(app) || self[app].exceedsRate || self[app].isLeftBehind)
    }

    /// Of every app, whether its queue is stalled.
    var stalled: [Bool] { apps.map(isStalled) }

    /// A second has passed, for all of them.
    mutating func passSecond() {
        for app in apps { self[app].passSecond(isSuspended: isSuspended(app)) }
        for app in apps {
            let canOthersMove = apps.contains {
                $0 != app && !isSuspended($0) && !self[$0].isSilent
            }
            self[app].isLeftBehind = self[app].isSilent && canOthersMove
        }
    }

    /// True when a fault suspends some app.
    var isAnySuspended: Bool { apps.contains(where: isSuspended) }

    @inline(__always)
    func allowsSending(_ app: AppID, now: Instant) -> Bool {
        self[app].allowsSending(now: now) && self[breakerOf: app].allowsSending(now: now)
    }

    /// The next push of the first app, from the one whose turn it is, that may send one.
    func next(now: Instant) -> PushID? {
        var index = current
        for _ in queues.indices {
            if let id = queues[index].pushes.first, allowsSending(AppID(index), now: now) {
                return id
            }
            index = index + 1 == queues.count ? 0 : index + 1
        }
        return nil
    }

    /// The first push of an app was sent; true when it is a probe of the guard's.
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

    /// Connections may take more than they could in the turn before.
    mutating func startTurn() {
        for index in queues.indices { queues[index].isFull = false }
    }

    /// When a queue may go on in which something waits; nil when none waits for time to pass.
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
