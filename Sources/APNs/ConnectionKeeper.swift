internal import Delivery
internal import EventLoop

/// Keeps one connection of a pool open: looks up, dials, and replaces it when it leaves.
struct ConnectionKeeper {
    /// What it does at the moment.
    enum State: Equatable {
        /// Waits before the next attempt.
        case waiting(until: UInt64)
        /// Waits for the addresses of the host.
        case resolving(until: UInt64)
        /// Has a connection, in whatever phase.
        case open
        /// Opens nothing any more.
        case closed
    }

    let token: UInt64
    let dialer: Dialer
    var state: State
    var current: ConnectionBox?
    /// Connections that finish their last requests.
    var leaving: [ConnectionBox] = []
    var backoff: Backoff
    /// The addresses that this attempt has not tried.
    var addresses: [SocketAddress] = []
    /// Why those that it has tried did not take the connection.
    var refusals: [ConnectionFailure] = []
    /// Which address comes first in the next attempt.
    var rotation: Int

    init(_ dialer: Dialer, token: UInt64, opensAt: UInt64, rotation: Int) {
        self.dialer = dialer
        self.token = token
        self.rotation = rotation
        state = .waiting(until: opensAt)
        backoff = Backoff(
            shortest: dialer.settings.shortestBackoff, longest: dialer.settings.longestBackoff)
    }

    var isReady: Bool { current?.connection.phase == .ready }

    var openRequests: Int {
        var count = current?.connection.requests.count ?? 0
        for box in leaving { count += box.connection.requests.count }
        return count
    }

    var nextDeadline: UInt64? {
        var earliest = current?.connection.nextDeadline ?? .max
        for box in leaving { earliest = min(earliest, box.connection.nextDeadline ?? .max) }
        switch state {
        case .waiting(let time), .resolving(let time): earliest = min(earliest, time)
        case .open, .closed: break
        }
        return earliest == .max ? nil : earliest
    }

    func canSend(bodyBytes: Int) -> Bool {
        current?.connection.canSend(bodyBytes: bodyBytes) ?? false
    }

    /// Handles a wake-up; connections that share the token take it for what it is worth.
    mutating func wake<Machine: Kernel & ~Copyable>(
        _ wakeup: Wakeup, _ kernel: inout Machine, _ events: inout EventQueue
    ) {
        if case .resolving = state, let result = kernel.resolved(token) {
            resolved(result, &kernel, &events)
        } else {
            current?.connection.wake(wakeup, &kernel, &events)
        }
        for box in leaving { box.connection.wake(wakeup, &kernel, &events) }
        settle(&kernel, &events)
    }

    mutating func expire<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout EventQueue
    ) {
        switch state {
        case .waiting(let time) where time <= kernel.now: lookUp(&kernel)
        case .resolving(let time) where time <= kernel.now:
            let limit = inSeconds(dialer.settings.handshakeTimeout)
            attemptFailed("resolve: no answer within \(limit)", .lookup, &kernel, &events)
        default: break
        }
        current?.connection.expire(&kernel, &events)
        for box in leaving { box.connection.expire(&kernel, &events) }
        settle(&kernel, &events)
    }

    mutating func send<Machine: Kernel & ~Copyable>(
        _ notification: borrowing Notification, id: NotificationID, tag: Int,
        _ kernel: inout Machine, _ events: inout EventQueue
    ) -> Bool {
        guard let current else { return false }
        if current.connection.send(notification, id: id, tag: tag, &kernel, &events) { return true }
        settle(&kernel, &events)
        return false
    }

    mutating func flush<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout EventQueue
    ) {
        current?.connection.flush(&kernel, &events)
        for box in leaving { box.connection.flush(&kernel, &events) }
        settle(&kernel, &events)
    }

    /// Opens nothing any more, and lets its connections drain.
    mutating func drain() {
        state = .closed
        current?.connection.drain()
    }

    /// Closes everything now.
    mutating func close<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout EventQueue
    ) {
        state = .closed
        current?.connection.close(&kernel, &events)
        for box in leaving { box.connection.close(&kernel, &events) }
        current = nil
        leaving.removeAll()
    }
}
