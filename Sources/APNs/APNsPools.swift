public import Delivery
public import EventLoop

/// One worker's connections: a pool for each route, and the route of each app.
///
/// Pools share what is known about addresses and nothing else, so that one credential or endpoint
/// cannot disturb another.
public struct APNsPools: ~Copyable {
    private let boxes: [PoolBox]
    private let routes: [Int]
    /// For each app, when the connection of its last probe was opened: it uses no older ones.
    private var openings: [Instant]
    private var nextToReport = 0

    /// Creates the pools without opening any connection.
    ///
    /// `apps` contains the route of each app, as an index into `routes`. The pools own the wake-up
    /// tokens from `firstToken` on.
    public init(_ routes: [APNsRoute], apps: [Int], firstToken: UInt64) {
        precondition(apps.allSatisfy(routes.indices.contains), "every app has a route")
        self.routes = apps
        openings = apps.map { _ in .distantPast }
        let history = AddressHistory()
        boxes = routes.enumerated().map { index, route in
            let first = firstToken + UInt64(index) * APNsPool.tokenCount
            return PoolBox(APNsPool(route, firstToken: first, history: history))
        }
    }

    /// Starts to open the connections of every pool.
    public mutating func start<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        for box in boxes { box.pool.start(&kernel) }
    }

    /// Handles a wake-up of one of the pools' tokens; ignores any other.
    public mutating func wake<Machine: Kernel & ~Copyable>(
        _ wakeup: Wakeup, _ kernel: inout Machine
    ) {
        for box in boxes { box.pool.wake(wakeup, &kernel) }
    }

    /// Handles everything that is due: timeouts, connections to open.
    public mutating func expire<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        for box in boxes { box.pool.expire(&kernel) }
    }

    /// When to call ``expire(_:)`` next; nil when nothing is scheduled.
    public var nextDeadline: Instant? {
        var earliest: Instant?
        for box in boxes {
            if let deadline = box.pool.nextDeadline {
                earliest = min(earliest ?? deadline, deadline)
            }
        }
        return earliest
    }

    /// Sends a notification on a connection of its app; if none can accept it right now, returns
    /// false and changes nothing. See ``APNsPool/send(_:id:tag:_:)``.
    public mutating func send<Machine: Kernel & ~Copyable>(
        _ notification: borrowing Notification, id: NotificationID, tag: UInt64,
        _ kernel: inout Machine
    ) -> Bool {
        boxes[routes[notification.app]].pool.send(
            notification, id: id, tag: tag, since: openings[notification.app], &kernel)
    }

    /// Sends a probe of a suspended app over a fresh connection; if that is not possible right now,
    /// returns false and changes nothing. Afterwards the app uses no older connections, which are
    /// replaced when it sends again; other apps keep using them meanwhile.
    public mutating func sendProbe<Machine: Kernel & ~Copyable>(
        _ notification: borrowing Notification, id: NotificationID, tag: UInt64,
        _ kernel: inout Machine
    ) -> Bool {
        let app = notification.app
        let opening = boxes[routes[app]].pool.sendProbe(notification, id: id, tag: tag, &kernel)
        guard let opening else { return false }
        openings[app] = opening
        return true
    }

    /// APNs has refused the credential of a route: see ``APNsPool/replaceConnections(_:)``.
    public mutating func replaceConnections<Machine: Kernel & ~Copyable>(
        route: Int, _ kernel: inout Machine
    ) {
        boxes[route].pool.replaceConnections(&kernel)
    }

    /// Where the last request of an app's pool was sent: see ``APNsPool/lastRequest``.
    public func lastRequest(app: Int) -> StreamID? { boxes[routes[app]].pool.lastRequest }

    /// True when some connection of an app can accept a request with a body of this size right now.
    /// See ``APNsPool/canSend(bodyBytes:since:_:)``.
    public mutating func canSend(app: Int, bodyBytes: Int, _ now: Instant) -> Bool {
        boxes[routes[app]].pool.canSend(bodyBytes: bodyBytes, since: openings[app], now)
    }

    /// The same for ``sendProbe(_:id:tag:_:)``, which may use connections that other requests of
    /// the app may not.
    public mutating func canSendProbe(app: Int, bodyBytes: Int, _ now: Instant) -> Bool {
        boxes[routes[app]].pool.canSendProbe(bodyBytes: bodyBytes, now)
    }

    /// Switches a route to another credential or other trusted roots. See ``APNsPool/renew(_:_:)``.
    @discardableResult
    public mutating func renew<Machine: Kernel & ~Copyable>(
        _ index: Int, _ route: APNsRoute, _ kernel: inout Machine
    ) -> CredentialVersion {
        boxes[index].pool.renew(route, &kernel)
    }

    /// Writes the rest of the output; call it at the end of a turn.
    public mutating func flush<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        for box in boxes { box.pool.flush(&kernel) }
    }

    /// The number of connections ready for requests, over all pools.
    public var readyConnections: Int { boxes.reduce(0) { $0 + $1.pool.readyConnections } }

    /// The number of connections ready for requests on a route.
    public func readyConnections(route: Int) -> Int { boxes[route].pool.readyConnections }

    /// The number of connections of a route that are ready, or are to be.
    public func connections(route: Int) -> Int { boxes[route].pool.connections }

    /// The number of connections ready for requests, of each app.
    public var readyConnectionsOfApps: [Int] {
        routes.map { boxes[$0].pool.readyConnections }
    }

    /// How many requests the connections of all pools may have open now.
    public var streamsAllowed: Int { boxes.reduce(0) { $0 + $1.pool.streamsAllowed } }

    /// The dates of the credential of each app.
    public var credentialDates: [CredentialDates] {
        let dates = boxes.map { $0.pool.credential.dates }
        return routes.map { dates[$0] }
    }

    /// The kind of credential that a route uses.
    public func credentialKind(route: Int) -> APNsCredential.Kind {
        boxes[route].pool.credential.kind
    }

    /// What keeps all connections of a pool from accepting another request; nil when nothing did
    /// within the last second.
    public func limit(_ now: Instant) -> ConnectionLimit? {
        boxes.lazy.compactMap { $0.pool.limit(now) }.first
    }

    /// The number of requests that have not finished, over all pools.
    public var openRequests: Int { boxes.reduce(0) { $0 + $1.pool.openRequests } }

    /// The next event that the owner has not taken, and its route.
    public mutating func nextEvent() -> (route: Int, event: PoolEvent)? {
        for _ in boxes.indices {
            if let event = boxes[nextToReport].pool.nextEvent() { return (nextToReport, event) }
            nextToReport = nextToReport + 1 == boxes.count ? 0 : nextToReport + 1
        }
        return nil
    }

    /// The next event if it is an accepted request without further details, from the same pool as
    /// the last event; any other event stays for ``nextEvent()``.
    public mutating func nextAccepted() -> (tag: UInt64, credential: CredentialVersion)? {
        boxes.isEmpty ? nil : boxes[nextToReport].pool.nextAccepted()
    }

    /// Sends GOAWAY on every connection and closes it; requests without a response are reported as
    /// not sent or in doubt.
    public mutating func close<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        for box in boxes { box.pool.close(&kernel) }
    }
}

/// Contains one pool, so that pools can be array elements.
private final class PoolBox {
    // Only the array's owner uses it, and nothing that a pool calls calls back into it.
    private let cell: Cell<APNsPool>

    init(_ pool: consuming APNsPool) { cell = Cell(pool) }

    var pool: APNsPool {
        _read { yield cell.value }
        _modify { yield &cell.value }
    }
}
