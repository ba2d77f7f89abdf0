internal import EventLoop

/// Contains one connection, so that connections can be array elements.
final class ConnectionBox {
    // Only its keeper uses it, and nothing that a connection calls calls back into it.
    private let cell: Cell<APNsConnection>
    /// The wake-up token of its socket.
    let token: UInt64
    /// When it is to be replaced even if it works; nil until it is ready.
    var retiresAt: UInt64?

    init(_ connection: consuming APNsConnection, token: UInt64) {
        cell = Cell(connection)
        self.token = token
    }

    var connection: APNsConnection {
        @inline(__always) _read { yield cell.value }
        @inline(__always) _modify { yield &cell.value }
    }

    /// It is closed, or accepts no more requests.
    var isLeaving: Bool {
        connection.phase.rawValue >= APNsConnection.Phase.draining.rawValue
    }

    /// When to open its replacement: at the end of its life, or soon after both a response and a
    /// PING response are overdue.
    var replacedAt: UInt64 {
        connection.isWornOut ? 0 : min(retiresAt ?? .max, connection.heartbeat.helpAt)
    }

    /// Sets its lifetime once it is ready, with jitter so that connections opened together are not
    /// replaced together.
    func limitLife<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard retiresAt == nil, let readyAt = connection.readyAt else { return }
        let life = connection.dialer.settings.longestLife
        retiresAt = readyAt + life - kernel.random() % (life / 4 + 1)
    }
}
