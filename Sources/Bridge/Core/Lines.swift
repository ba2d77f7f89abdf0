internal import Configuration

/// A line for each app, so that what holds one back does not hold the others.
///
/// They take turns, a few pushes each. A breaker stands before all lines of a route, which share a
/// credential, and each line has one of its own.
struct Lines: Sendable {
    /// So many pushes of one app go before another one has its turn.
    static let turn = 16

    private var lines: [Line]
    /// Those of the routes: they open when Apple refuses the credential.
    private var breakers: [Breaker]
    private var current = 0
    private var left = Lines.turn

    init(_ settings: WorkerSettings) {
        lines = settings.apps.map { Line(settings, route: $0.route) }
        let routes = (settings.apps.map(\.route).max() ?? 0) + 1
        breakers = Array(repeating: Breaker(), count: routes)
    }

    var indices: Range<Int> { lines.indices }
    var count: Int { lines.count }

    // Inlined: a call of its own allocates, for each push.
    subscript(app: Int) -> Line {
        @inline(__always) _read { yield lines[app] }
        @inline(__always) _modify { yield &lines[app] }
    }

    /// The breaker of the credential and endpoint that an app uses.
    subscript(breakerOf app: Int) -> Breaker {
        _read { yield breakers[lines[app].route] }
        _modify { yield &breakers[lines[app].route] }
    }

    /// The apps of a route.
    func apps(of route: Int) -> [Int] { lines.indices.filter { lines[$0].route == route } }

    /// True when a fault holds the app's line: its credential's, its own, or its tokens'.
    func isHeld(_ app: Int) -> Bool { lines[app].isHeld || self[breakerOf: app].isOpen }

    /// True when an app's line does not move, and there are others that could.
    ///
    /// Where nobody moves, as when Apple is silent, all wait in the window, and are back at once.
    func isStuck(_ app: Int) -> Bool {
        lines.count > 1 && (isHeld(app) || lines[app].isTooSlow || lines[app].isLeftBehind)
    }

    /// Of every app, whether its line is stuck.
    var stuck: [Bool] { lines.indices.map(isStuck) }

    /// A second has passed, for all of them.
    mutating func passSecond() {
        for app in lines.indices { lines[app].passSecond(isHeld: isHeld(app)) }
        for app in lines.indices {
            let canOthersMove = lines.indices.contains {
                $0 != app && !isHeld($0) && !lines[$0].isSilent
            }
            lines[app].isLeftBehind = lines[app].isSilent && canOthersMove
        }
    }

    /// True when a fault holds some line.
    var isAnyHeld: Bool { lines.indices.contains(where: isHeld) }

    func allowsSending(_ app: Int, now: UInt64) -> Bool {
        lines[app].allowsSending(now: now) && self[breakerOf: app].allowsSending(now: now)
    }

    /// The app whose turn it is.
    var turn: Int { current }

    /// It is the next app's turn.
    mutating func pass() {
        current = current + 1 == lines.count ? 0 : current + 1
        left = Self.turn
    }

    /// A push of the app whose turn it is was sent; true when it is a probe of the guard's.
    mutating func sent(_ place: Int, _ app: Int, now: UInt64) -> Bool {
        lines[app].ready.popFirst()
        self[breakerOf: app].sent(place)
        let isProbe = lines[app].sent(place, now: now)
        left -= 1
        if left == 0 || isHeld(app) { pass() }
        return isProbe
    }

    /// Connections may take more than they could in the turn before.
    mutating func startTurn() {
        for app in lines.indices { lines[app].isFull = false }
    }

    /// When a line may go on of which something waits; nil when none waits for time to pass.
    func deadline(now: UInt64) -> UInt64? {
        var earliest: UInt64?
        for app in lines.indices where lines[app].hasSomethingToSend {
            let own = lines[app].deadline(now: now) ?? 0
            let next = max(own, self[breakerOf: app].deadline(now: now) ?? 0)
            if next > 0 { earliest = min(earliest ?? next, next) }
        }
        return earliest
    }
}
