import Foundation
import Testing

/// A local TCP port whose connections are accepted, and nothing is ever sent.
final class SilentPeer {
    let port: UInt16
    private let listener: Int32
    private var peers: [Int32] = []

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let found = listener
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(found, $0, size) == 0 && listen(found, 16) == 0
                    && getsockname(found, $0, &size) == 0
            }
        }
        try #require(isBound)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { end() }

    /// Waits for a connection, up to a minute.
    func accept() -> Bool {
        var wanted = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, 1, 60_000) == 1 else { return false }
        peers.append(Foundation.accept(listener, nil, nil))
        return true
    }

    /// True unless the other side has given up one of its connections.
    var isAwaited: Bool {
        peers.allSatisfy { peer in
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe recv(peer, &bytes, bytes.count, Int32(MSG_DONTWAIT))
                if count <= 0 { return count < 0 && errno == EAGAIN }
            }
        }
    }

    /// Ends all connections, and refuses new ones.
    func end() {
        for socket in peers + [listener] where socket >= 0 {
            shutdown(socket, Int32(SHUT_RDWR))
            close(socket)
        }
        peers = []
    }
}
