internal import Delivery
internal import EventLoop

/// Keeps one connection of a pool open: looks up, dials, and replaces it when it leaves or is old.
struct ConnectionKeeper {
    /// What it does at the moment.
    enum State: Equatable {
        /// Waits before the next attempt.
        case waiting(until: UInt64)
        /// Waits for the addresses of the host.
        case resolving(until: UInt64)
        /// Has the connections that it wants, in whatever phase.
        case open
        /// Opens nothing any more.
        case closed
    }

    /// The wake-up token of lookups.
    let token: UInt64
    /// The tokens of its sockets lie so far apart.
    let tokenStep: UInt64
    var dialer: Dialer
    let history: AddressHistory
    /// The credential was changed, and APNs has not accepted a request with the new one.
    var isOnTrial = false
    /// Why APNs refused the new credential.
    var trialRefusal: RenewalRefusal?
    var state: State
    /// The connection that takes requests, as soon as it is ready.
    var current: ConnectionBox?
    /// Takes the place of `current`, which continues until this one has proved itself.
    var successor: ConnectionBox?
    /// Connections that finish their last requests.
    var leaving: [ConnectionBox] = []
    var backoff: Backoff
    /// The addresses that the last lookup found.
    var found: [SocketAddress] = []
    /// Those of them that this attempt has not tried.
    var addresses: [SocketAddress] = []
    /// This attempt has met a failure.
    var hasFailed = false
    /// Why those that it has tried did not take the connection.
    var refusals: [ConnectionFailure] = []
    /// Which address comes first in the next attempt.
    var rotation: Int
    /// How many sockets it has had.
    private var sockets: UInt64 = 0

    init(
        _ dialer: Dialer, _ history: AddressHistory, token: UInt64, tokenStep: UInt64,
        opensAt: UInt64, rotation: Int
    ) {
        self.dialer = dialer
        self.history = history
        self.token = token
        self.tokenStep = tokenStep
        self.rotation = rotation
        state = .waiting(until: opensAt)
        backoff = Backoff(
            shortest: dialer.settings.shortestBackoff, longest: dialer.settings.longestBackoff)
    }

    /// The token of the next socket: for long a new one, so that no wake-up of a socket that is
    /// gone is taken for one of another.
    mutating func nextToken() -> UInt64 {
        sockets = sockets % (APNsPool.tokenCount / tokenStep - 1) + 1
        return token + sockets * tokenStep
    }

    var isReady: Bool { current?.connection.phase == .ready }

    /// The requests that are open on the connections that may take more.
    var load: Int {
        (current?.connection.requests.count ?? 0) + (successor?.connection.requests.count ?? 0)
    }

    var openRequests: Int {
        leaving.reduce(load) { $0 + $1.connection.requests.count }
    }

    /// A connection of it has just refused a request: others are asked first.
    var isReluctant: Bool { current?.connection.hasRefused ?? false }

    var nextDeadline: UInt64? {
        var earliest = current?.connection.nextDeadline ?? .max
        earliest = min(earliest, successor?.connection.nextDeadline ?? .max)
        for box in leaving { earliest = min(earliest, box.connection.nextDeadline ?? .max) }
        switch state {
        case .waiting(let time), .resolving(let time): earliest = min(earliest, time)
        case .open where successor == nil && isReady:
            earliest = min(earliest, current?.replacedAt ?? .max)
        case .open, .closed: break
        }
        return earliest == .max ? nil : earliest
    }

    func canSend(bodyBytes: Int) -> Bool {
        if let successor, successor.connection.canSend(bodyBytes: bodyBytes) { return true }
        return current?.connection.canSend(bodyBytes: bodyBytes) ?? false
    }

    /// How loaded it is, if that is less than `limit` and it can take a request.
    ///
    /// For each push all keepers are asked: mutating, so that none of them is copied for it.
    mutating func loadIfAble(bodyBytes: Int, below limit: Int) -> Int? {
        let load = load + (isReluctant ? Int.max / 2 : 0)
        return load < limit && canSend(bodyBytes: bodyBytes) ? load : nil
    }

    /// The connection for the next request: a successor first, which has to prove itself.
    private func next(bodyBytes: Int) -> ConnectionBox? {
        if let successor, successor.connection.canSend(bodyBytes: bodyBytes) { return successor }
        return current
    }

    /// Handles a wake-up of the lookup or of one of the sockets.
    mutating func wake<Machine: Kernel & ~Copyable>(
        _ wakeup: Wakeup, _ kernel: inout Machine, _ events: inout EventQueue
    ) {
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
        _ kernel: inout Machine, _ events: inout EventQueue
    ) {
        switch state {
        case .waiting(let time) where time <= kernel.now:
            // What was to be replaced may have proved itself meanwhile.
            let isNeeded = !isReady || (current?.replacedAt ?? 0) <= kernel.now
            if isNeeded { lookUp(&kernel) } else { state = .open }
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

    mutating func send<Machine: Kernel & ~Copyable>(
        _ notification: borrowing Notification, id: NotificationID, tag: UInt64,
        _ kernel: inout Machine, _ events: inout EventQueue
    ) -> Bool {
        guard let box = next(bodyBytes: notification.payload.count) else { return false }
        if box.connection.send(notification, id: id, tag: tag, &kernel, &events) { return true }
        settle(&kernel, &events)
        return false
    }

    mutating func flush<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout EventQueue
    ) {
        current?.connection.flush(&kernel, &events)
        successor?.connection.flush(&kernel, &events)
        for box in leaving { box.connection.flush(&kernel, &events) }
        settle(&kernel, &events)
    }

    /// Opens nothing any more, and lets its connections drain.
    mutating func drain() {
        state = .closed
        current?.connection.drain()
        successor?.connection.drain()
    }

    /// Closes everything now.
    mutating func close<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout EventQueue
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
