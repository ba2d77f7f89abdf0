public import Delivery
public import EventLoop

/// The connections of one worker: a pool for each route, and the route of each app.
///
/// Pools share nothing, so that trouble with one credential or endpoint is not felt by another.
public struct APNsPools: ~Copyable {
    private let boxes: [PoolBox]
    private let routes: [Int]
    private var nextToTell = 0

    /// Pools that have not opened anything yet.
    ///
    /// `apps` names the route of each app, as an index into `routes`. The wake-up tokens from
    /// `firstToken` on belong to the pools.
    public init(_ routes: [APNsRoute], apps: [Int], firstToken: UInt64) {
        precondition(apps.allSatisfy(routes.indices.contains), "every app has a route")
        self.routes = apps
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

    /// Handles a wake-up of one of the pools' tokens; any other is ignored.
    public mutating func wake<Machine: Kernel & ~Copyable>(
        _ wakeup: Wakeup, _ kernel: inout Machine
    ) {
        for box in boxes { box.pool.wake(wakeup, &kernel) }
    }

    /// Handles everything that was due by now: timeouts, connections to open.
    public mutating func expire<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        for box in boxes { box.pool.expire(&kernel) }
    }

    /// When ``expire(_:)`` is to be called next; nil when nothing is due ever.
    public var nextDeadline: UInt64? {
        var earliest: UInt64?
        for box in boxes {
            if let deadline = box.pool.nextDeadline {
                earliest = min(earliest ?? deadline, deadline)
            }
        }
        return earliest
    }

    /// Gives a notification to a connection of its app; false when none can take it right now, and
    /// then nothing has happened. See ``APNsPool/send(_:id:tag:_:)``.
    public mutating func send<Machine: Kernel & ~Copyable>(
        _ notification: borrowing Notification, id: NotificationID, tag: UInt64,
        _ kernel: inout Machine
    ) -> Bool {
        boxes[routes[notification.app]].pool.send(notification, id: id, tag: tag, &kernel)
    }

    /// Lets a route go over to another credential or other trusted roots. See
    /// ``APNsPool/renew(_:_:)``.
    @discardableResult
    public mutating func renew<Machine: Kernel & ~Copyable>(
        _ index: Int, _ route: APNsRoute, _ kernel: inout Machine
    ) -> CredentialVersion {
        boxes[index].pool.renew(route, &kernel)
    }

    /// Writes what there is to write; call it at the end of a turn.
    public mutating func flush<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        for box in boxes { box.pool.flush(&kernel) }
    }

    /// How many connections of all pools may be used.
    public var readyConnections: Int { boxes.reduce(0) { $0 + $1.pool.readyConnections } }

    /// The requests of all pools that have not ended.
    public var openRequests: Int { boxes.reduce(0) { $0 + $1.pool.openRequests } }

    /// The next thing that the owner has not heard of, and the route that it comes from.
    public mutating func nextEvent() -> (route: Int, event: PoolEvent)? {
        for _ in boxes.indices {
            if let event = boxes[nextToTell].pool.nextEvent() { return (nextToTell, event) }
            nextToTell = nextToTell + 1 == boxes.count ? 0 : nextToTell + 1
        }
        return nil
    }

    /// The request that APNs accepted, if ``nextEvent()`` would tell of one with nothing more to
    /// say, from the same pool as the last event.
    public mutating func nextAccepted() -> (tag: UInt64, credential: CredentialVersion)? {
        boxes.isEmpty ? nil : boxes[nextToTell].pool.nextAccepted()
    }

    /// Sends GOAWAY on every connection and closes it; what has no response by now is reported as
    /// not sent or in doubt.
    public mutating func close<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        for box in boxes { box.pool.close(&kernel) }
    }
}

/// Holds one pool, so that a list can.
private final class PoolBox {
    // Only the list reaches it, and nothing that a pool calls comes back to it.
    private let cell: Cell<APNsPool>

    init(_ pool: consuming APNsPool) { cell = Cell(pool) }

    var pool: APNsPool {
        @inline(__always) _read { yield cell.value }
        @inline(__always) _modify { yield &cell.value }
    }
}
