internal import EventLoop

/// One client's socket and connection.
final class ClientConnection {
    let socket: SocketID
    /// The address of its other end; nil when it is unknown.
    let address: [UInt8]?
    var connection: SimulatorConnection
    var isReadable = true
    var isBlocked = false

    init(socket: SocketID, address: [UInt8]?, connection: consuming SimulatorConnection) {
        self.socket = socket
        self.address = address
        self.connection = connection
    }

    /// Transfers bytes in both directions as far as possible; false when the connection is over.
    ///
    /// Nothing is read while the client does not accept responses, so that they cannot pile up.
    func turn<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, at moment: SimulatorMoment
    ) -> Bool {
        guard send(&kernel) else { return false }
        while isReadable, !isBlocked, connection.wantsInput {
            switch kernel.receive(from: socket, { connection.receive($0, at: moment) }) {
            case .bytes: guard send(&kernel) else { return false }
            case .wouldBlock: isReadable = false
            case .ended, .failed: return false
            }
        }
        return true
    }

    /// Sends pending output, until the socket is full; false when the connection is over.
    @discardableResult
    func send<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) -> Bool {
        var isBroken = false
        while connection.hasOutput, !isBlocked, !isBroken {
            connection.withOutput { bytes in
                switch kernel.send(bytes, to: socket) {
                case .bytes(let count): return count
                case .wouldBlock: isBlocked = true
                case .ended, .failed: isBroken = true
                }
                return 0
            }
        }
        return !isBroken && !connection.isEnded
    }
}
