internal import Synchronization

/// The sockets of all clients, starting with the one that has been silent for longest.
///
/// Clients that connect and send nothing, or no request that is answered, must not keep others out:
/// when there are too many of them, or too many with one address, the oldest one is dropped.
final class ClientList: Sendable {
    private struct Client {
        let socket: Int32
        /// Empty for a Unix domain socket.
        let address: [UInt8]
        /// True once a request of it has succeeded.
        var isServed = false
    }

    private let clients = Mutex<[Client]>([])
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// A proxy may stand for many clients, so that it is a good part of all.
    private var limitPerAddress: Int { max(16, limit / 4) }

    /// A client has connected; returns the socket of one that must go instead.
    func add(_ socket: Int32, address: [UInt8]) -> Int32? {
        clients.withLock { clients in
            let others = clients.indices.filter { !clients[$0].isServed }
            let own = others.filter { clients[$0].address == address }
            let isFull = clients.count >= limit
            clients.append(Client(socket: socket, address: address))
            if !address.isEmpty, own.count >= limitPerAddress, let oldest = own.first {
                return clients.remove(at: oldest).socket
            }
            return isFull ? clients.remove(at: others.first ?? 0).socket : nil
        }
    }

    /// A client has sent something.
    func noteActivity(_ socket: Int32) {
        change(socket) { _ in }
    }

    /// A request of a client has succeeded.
    func serve(_ socket: Int32) {
        change(socket) { $0.isServed = true }
    }

    private func change(_ socket: Int32, _ body: (inout Client) -> Void) {
        clients.withLock { clients in
            guard let index = clients.firstIndex(where: { $0.socket == socket }) else { return }
            var client = clients.remove(at: index)
            body(&client)
            clients.append(client)
        }
    }

    /// A client's connection is closed.
    func remove(_ socket: Int32) {
        clients.withLock { clients in clients.removeAll { $0.socket == socket } }
    }
}
