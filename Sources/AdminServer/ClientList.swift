internal import Glibc
internal import Synchronization

/// The sockets of all clients, starting with the one that has been silent for longest.
///
/// Clients that connect and send nothing must not keep others out: when there are too many, the
/// first one is dropped.
final class ClientList: Sendable {
    private let sockets = Mutex<[Int32]>([])
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// A client has connected.
    func add(_ socket: Int32) {
        let silent = sockets.withLock { sockets -> Int32? in
            sockets.append(socket)
            return sockets.count > limit ? sockets.removeFirst() : nil
        }
        // The daemon notices the end of the connection, and closes the socket.
        if let silent { _ = shutdown(silent, Int32(SHUT_RDWR)) }
    }

    /// A client has sent something.
    func hear(_ socket: Int32) {
        sockets.withLock { sockets in
            guard let place = sockets.firstIndex(of: socket) else { return }
            sockets.remove(at: place)
            sockets.append(socket)
        }
    }

    /// A client's connection is closed.
    func remove(_ socket: Int32) {
        sockets.withLock { sockets in sockets.removeAll { $0 == socket } }
    }
}
