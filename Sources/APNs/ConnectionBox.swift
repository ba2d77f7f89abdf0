internal import Delivery
internal import EventLoop

/// Contains one connection, so that connections can be array elements.
final class ConnectionBox {
    // Only its keeper uses it, and nothing that a connection calls calls back into it.
    private let cell: Cell<APNsConnection>
    /// The wake-up token of its socket.
    let token: UInt64
    /// When it is to be replaced even if it works; nil until it is ready.
    var retiresAt: Instant?
    /// It was opened for the probes of a suspended app, and carries nothing else until APNs has
    /// accepted one.
    var isForProbes = false

    init(_ connection: consuming APNsConnection, token: UInt64) {
        cell = Cell(connection)
        self.token = token
    }

    var connection: APNsConnection {
        _read { yield cell.value }
        _modify { yield &cell.value }
    }

    /// True when a request may be sent on it that needs a connection opened since `opening`.
    func canSend(bodyBytes: Int, since opening: Instant) -> Bool {
        connection.dialledAt >= opening && connection.canSend(bodyBytes: bodyBytes)
    }

    /// It is closed, or accepts no more requests.
    var isLeaving: Bool {
        connection.phase.rawValue >= APNsConnection.Phase.draining.rawValue
    }

    /// When to open its replacement: at the end of its life, or soon after both a response and a
    /// PING response are overdue.
    var replacedAt: Instant {
        connection.isNearStreamLimit
            ? .distantPast : min(retiresAt ?? .distantFuture, connection.heartbeat.helpAt)
    }

    /// It is to be replaced at `time` if it was opened before `opening`; false if it was not, or is
    /// replaced earlier.
    func retire(openedBefore opening: Instant, at time: Instant) -> Bool {
        guard connection.dialledAt < opening, retiresAt ?? .distantFuture > time else {
            return false
        }
        retiresAt = time
        return true
    }

    /// Sets its lifetime once it is ready, with jitter so that connections opened together are not
    /// replaced together.
    func scheduleRetirement<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard retiresAt == nil, let readyAt = connection.readyAt else { return }
        let life = connection.dialer.settings.maxAge
        retiresAt = readyAt + life - (life / 4).part(kernel.random())
    }
}
