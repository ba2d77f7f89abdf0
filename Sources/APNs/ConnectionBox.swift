internal import EventLoop

/// Holds one connection, so that a list can.
final class ConnectionBox {
    // Only its keeper reaches it, and nothing that a connection calls comes back to it.
    private let cell: Cell<APNsConnection>
    /// The wake-up token of its socket.
    let token: UInt64
    /// When it is to be replaced, however well it does; nil until it is ready.
    var retiresAt: UInt64?

    init(_ connection: consuming APNsConnection, token: UInt64) {
        cell = Cell(connection)
        self.token = token
    }

    var connection: APNsConnection {
        @inline(__always) _read { yield cell.value }
        @inline(__always) _modify { yield &cell.value }
    }

    /// It has gone, or takes no more requests.
    var isLeaving: Bool {
        connection.phase.rawValue >= APNsConnection.Phase.draining.rawValue
    }

    /// When another one is to be opened to replace it: at the end of its time, or soon after it has
    /// begun to owe a response and a pong.
    var replacedAt: UInt64 {
        connection.isWornOut ? 0 : min(retiresAt ?? .max, connection.heartbeat.helpAt)
    }

    /// Decides, once it is ready, how long it may live: not all as long, so that connections which
    /// were opened together do not leave together.
    func limitLife<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard retiresAt == nil, let readyAt = connection.readyAt else { return }
        let life = connection.dialer.settings.longestLife
        retiresAt = readyAt + life - kernel.random() % (life / 4 + 1)
    }
}
