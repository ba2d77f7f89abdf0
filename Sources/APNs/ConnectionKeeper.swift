internal import Delivery
internal import EventLoop

/// Keeps one connection of a pool open: resolves, dials, and replaces it when it closes or is old.
struct ConnectionKeeper {
    /// What it is doing.
    enum State: Equatable {
        /// Waiting before the next attempt.
        case waiting(until: Instant)
        /// Waiting for the host's addresses.
        case resolving(until: Instant)
        /// Has the connections that it needs, in any phase.
        case open
        /// Has no connection, until the pool needs another one.
        case paused
        /// Opens no more connections.
        case closed
    }

    /// The wake-up token of lookups.
    let token: UInt64
    /// The distance between the tokens of its sockets.
    let tokenStep: UInt64
    var dialer: Dialer
    let history: AddressHistory
    /// The credential was changed, and APNs has not accepted a request with the new one yet.
    var isOnTrial = false
    /// Why APNs rejected the new credential.
    var trialRefusal: RenewalRefusal?
    var state: State
    /// The connection that requests are sent on, once it is ready.
    var current: ConnectionBox?
    /// Replaces `current`, which stays in use until this one has been accepted.
    var successor: ConnectionBox?
    /// Connections that are finishing their last requests.
    var leaving: [ConnectionBox] = []
    var backoff: Backoff
    /// The addresses found by the last lookup.
    var found: [SocketAddress] = []
    /// Those that this attempt has not tried.
    var addresses: [SocketAddress] = []
    /// This attempt has had a failure.
    var hasFailed = false
    /// Why the addresses tried so far did not accept the connection.
    var refusals: [ConnectionFailure] = []
    /// Which address the next attempt starts with.
    var rotation: Int
    /// The connection that is being opened is for the probes of a suspended app.
    var opensForProbes = false
    /// When there is something to do again, if nothing happens before; nil until the next flush
    /// finds nothing to do.
    private(set) var quietUntil: Instant?
    /// The token of the connection that the last request was sent on.
    private var lastToken: UInt64 = 0
    /// How many sockets it has opened.
    private var sockets: UInt64 = 0

    init(
        _ dialer: Dialer, _ history: AddressHistory, token: UInt64, tokenStep: UInt64,
        opensAt: Instant, rotation: Int
    ) {
        self.dialer = dialer
        self.history = history
        self.token = token
        self.tokenStep = tokenStep
        self.rotation = rotation
        state = .waiting(until: opensAt)
        backoff = Backoff(
            minimum: dialer.settings.minBackoff, maximum: dialer.settings.maxBackoff)
    }

    /// The token of the next socket. Tokens are not reused for a long time, so that a late wake-up
    /// of a closed socket is not taken for another's.
    mutating func nextToken() -> UInt64 {
        sockets = sockets % (APNsPool.tokenCount / tokenStep - 1) + 1
        return token + sockets * tokenStep
    }

    var isReady: Bool { current?.connection.phase == .ready }

    /// How many requests its connection may have open now; 0 while it is not ready.
    var streamsAllowed: Int { isReady ? current?.connection.streamsAllowed ?? 0 : 0 }

    /// The number of open requests on the connections that accept more.
    var load: Int {
        (current?.connection.requests.count ?? 0) + (successor?.connection.requests.count ?? 0)
    }

    var openRequests: Int {
        leaving.reduce(load) { $0 + $1.connection.requests.count }
    }

    /// Its connection has just refused a request: others are preferred.
    var hasRecentRefusal: Bool { current?.connection.hasRefused ?? false }

    /// When to do something if nothing happens before.
    var earliestDeadline: Instant {
        var earliest = current?.connection.nextDeadline ?? .distantFuture
        earliest = min(earliest, successor?.connection.nextDeadline ?? .distantFuture)
        for box in leaving {
            earliest = min(earliest, box.connection.nextDeadline ?? .distantFuture)
        }
        switch state {
        case .waiting(let time), .resolving(let time): earliest = min(earliest, time)
        case .open where successor?.isForProbes != false && isReady:
            earliest = min(earliest, current?.replacedAt ?? .distantFuture)
        case .open, .paused, .closed: break
        }
        return earliest
    }

    /// True when it has a connection, opened since `opening`, that accepts a request.
    func canSend(bodyBytes: Int, since opening: Instant) -> Bool {
        next(bodyBytes: bodyBytes, since: opening) != nil
    }

    /// Its load, if that is below `limit` and it can accept a request.
    ///
    /// All keepers are asked for each push: mutating, so that none of them is copied.
    mutating func loadIfAble(
        bodyBytes: Int, below limit: Int, since opening: Instant
    ) -> Int? {
        let load = load + (hasRecentRefusal ? Int.max / 2 : 0)
        return load < limit && canSend(bodyBytes: bodyBytes, since: opening) ? load : nil
    }

    /// The connection for the next request: a successor first, because it has to prove itself.
    private func next(bodyBytes: Int, since opening: Instant) -> ConnectionBox? {
        if let successor, !successor.isForProbes,
            successor.canSend(bodyBytes: bodyBytes, since: opening) {
            return successor
        }
        guard let current, current.canSend(bodyBytes: bodyBytes, since: opening) else { return nil }
        return current
    }

    /// Handles a wake-up of the lookup or of a socket.
    mutating func wake<Machine: Kernel & ~Copyable>(
        _ wakeup: Wakeup, _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        somethingHappened()
        if wakeup.token == token {
            if case .resolving = state, let result = kernel.resolved(token) {
                resolved(result, &kernel, &events)
            }
        } else if let box = connection(wakeup.token) {
            box.connection.wake(wakeup, &kernel, &events)
        }
        settle(&kernel, &events)
    }

    private func connection(_ token: UInt64) -> ConnectionBox? {
        if let current, current.token == token { return current }
        if let successor, successor.token == token { return successor }
        return leaving.first { $0.token == token }
    }

    mutating func expire<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        somethingHappened()
        switch state {
        case .waiting(let time) where time <= kernel.now:
            // The connection to be replaced may have recovered meanwhile.
            let isNeeded = !isReady || (current?.replacedAt ?? .distantPast) <= kernel.now
            if isNeeded || opensForProbes { lookUp(&kernel) } else { state = .open }
        case .resolving(let time) where time <= kernel.now:
            let limit = inSeconds(dialer.settings.handshakeTimeout)
            attemptFailed("resolve: no response within \(limit)", .lookup, &kernel, &events)
        default: break
        }
        current?.connection.expire(&kernel, &events)
        successor?.connection.expire(&kernel, &events)
        for box in leaving { box.connection.expire(&kernel, &events) }
        settle(&kernel, &events)
    }

    /// Sends a request, and writes a full TLS record at once; a probe goes over the newest
    /// connection.
    mutating func send<Machine: Kernel & ~Copyable>(
        _ notification: borrowing Notification, id: NotificationID, tag: UInt64,
        since opening: Instant, isProbe: Bool = false, _ kernel: inout Machine,
        _ events: inout PoolEventQueue
    ) -> Bool {
        somethingHappened()
        let bytes = notification.payload.count
        let choice = isProbe ? newest(bodyBytes: bytes) : next(bodyBytes: bytes, since: opening)
        guard let box = choice else { return false }
        if box.connection.send(notification, id: id, tag: tag, &kernel, &events) {
            lastToken = box.token
            if box.connection.hasFullRecord(bodyBytes: notification.payload.count) {
                box.connection.flush(&kernel, &events)
            }
            return true
        }
        settle(&kernel, &events)
        return false
    }

    /// The connection and the stream of the last request; nil when the connection is closed.
    var lastRequest: StreamID? {
        guard let box = connection(lastToken) else { return nil }
        return StreamID(connection: box.token, stream: box.connection.lastStream)
    }

    /// Writes pending output, and follows what has happened to the connections.
    mutating func flush<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        guard quietUntil == nil else { return }
        current?.connection.flush(&kernel, &events)
        successor?.connection.flush(&kernel, &events)
        for box in leaving { box.connection.flush(&kernel, &events) }
        settle(&kernel, &events)
        if isSettled { quietUntil = earliestDeadline }
    }

    /// Its only connection is ready and has nothing to write, or it needs none.
    private var isSettled: Bool {
        guard successor == nil, leaving.isEmpty else { return false }
        guard let current else { return state == .paused }
        return current.connection.phase == .ready && !current.connection.hasOutput
    }

    /// Something happened: the next flush looks at its connections.
    mutating func somethingHappened() { quietUntil = nil }

    /// Opens a connection after it had rested.
    mutating func reopen(_ now: Instant) {
        somethingHappened()
        state = .waiting(until: now)
    }

    /// What keeps its connection from accepting a request, if nothing else does.
    func limit(bodyBytes: Int) -> ConnectionLimit? {
        current?.connection.limit(bodyBytes: bodyBytes)
    }

    /// How long it took to open its connection; nil before it is ready.
    var handshakeTime: Duration? {
        guard let current else { return nil }
        return current.connection.readyAt.map { $0 - current.connection.dialledAt }
    }

    /// Opens no more connections, and drains the open ones.
    mutating func drain() { end(.closed) }

    /// Drains its connections, and opens another one only after ``resume()``.
    mutating func pause() { end(.paused) }

    private mutating func end(_ next: State) {
        somethingHappened()
        state = next
        current?.connection.drain()
        successor?.connection.drain()
    }

    /// Closes everything immediately.
    mutating func close<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        state = .closed
        current?.connection.close(&kernel, &events)
        successor?.connection.close(&kernel, &events)
        for box in leaving { box.connection.close(&kernel, &events) }
        current = nil
        successor = nil
        leaving.removeAll()
    }
}

/// Where a request was sent.
public struct StreamID: Equatable, Sendable, BitwiseCopyable {
    /// The number of the connection within its worker.
    public var connection: UInt64
    /// The ID of the HTTP/2 stream.
    public var stream: Int32

    /// Creates a place.
    public init(connection: UInt64, stream: Int32) {
        self.connection = connection
        self.stream = stream
    }
}
