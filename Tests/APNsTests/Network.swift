import Delivery
import EventLoop
import TLS

/// A network in memory, with a clock that only the test moves.
final class Network {
    /// What happens to a connect.
    enum Response {
        /// A server accepts it.
        case accepted
        /// It fails at once after having been started.
        case refused
        /// Nothing ever comes back.
        case lost
    }

    var now = Instant.distantPast + .seconds(1)
    var wallClock: Int64 = `A provider token`.noon * 1000 + 600_000
    var chance: UInt64 = 0
    /// What a lookup answers; nil for never.
    var addresses: Result<[SocketAddress], KernelError>? = .success([.loopback(port: 2197)])
    /// What a connect to an address meets.
    var respond: (SocketAddress) -> Response = { _ in .accepted }
    /// Makes the server for the connection with this number.
    var makePeer: (Int) throws -> Peer
    /// Every server that was made, in order.
    var peers: [Peer] = []
    /// Every address that was dialled, and when.
    var dialled: [(address: SocketAddress, at: Instant)] = []
    /// Every host and port that was looked up.
    var lookedUp: [String] = []
    var lookups: Int { lookedUp.count }
    /// No socket accepts more than this at a time; 0 blocks them all.
    var maxBytesPerSend = Int.max

    fileprivate(set) var sockets: [Int32: Socket] = [:]
    fileprivate var pendingLookups: Set<UInt64> = []
    fileprivate var unreported: [Wakeup] = []

    init(makePeer: @escaping (Int) throws -> Peer) { self.makePeer = makePeer }

    /// One end of a connection, the client's.
    struct Socket {
        var token: UInt64
        var peer: Peer?
        /// Bytes that wait to be received, in the pieces in which they came.
        var incoming: [[UInt8]] = []
        var failure: KernelError?
        var hasEnded = false
        var isBlocked = false
    }

    /// Lets every server work, and wakes the sockets that have something.
    func deliver() {
        for (number, socket) in sockets {
            guard let peer = socket.peer else { continue }
            var hasOutput = false
            var output = peer.takeOutput()
            while !output.isEmpty {
                sockets[number, default: socket].incoming.append(output)
                hasOutput = true
                output = peer.takeOutput()
            }
            let hasEnded = peer.hasEnded && !socket.hasEnded
            if hasEnded { sockets[number]?.hasEnded = true }
            if let failure = peer.cut, socket.failure == nil {
                sockets[number]?.failure = failure
                unreported.append(Wakeup(token: socket.token, readable: true, writable: true))
            } else if hasOutput || hasEnded {
                unreported.append(Wakeup(token: socket.token, readable: true, writable: false))
            }
            if socket.isBlocked, maxBytesPerSend > 0 {
                sockets[number]?.isBlocked = false
                unreported.append(Wakeup(token: socket.token, readable: false, writable: true))
            }
        }
    }

    var hasSomethingToSay: Bool { !unreported.isEmpty }
}

/// The kernel that goes with a ``Network``.
struct ScriptedKernel: Kernel, ~Copyable {
    let network: Network
    private var lastSocket: Int32 = 0

    init(_ network: Network) { self.network = network }

    var now: Instant { network.now }
    var wallClock: Int64 { network.wallClock }
    mutating func random() -> UInt64 { network.chance }

    mutating func wait(until deadline: Instant?, _ body: (Wakeup) -> Void) {
        network.deliver()
        let wakeups = network.unreported
        network.unreported = []
        for wakeup in wakeups { body(wakeup) }
    }

    mutating func watch(_ descriptor: Int32, token: UInt64) {}

    mutating func resolve(host: String, port: UInt16, token: UInt64) {
        network.lookedUp.append("\(host):\(port)")
        network.pendingLookups.insert(token)
        guard network.addresses != nil else { return }
        network.unreported.append(Wakeup(token: token, readable: true, writable: false))
    }

    mutating func resolved(_ token: UInt64) -> Result<[SocketAddress], KernelError>? {
        guard network.addresses != nil, network.pendingLookups.remove(token) != nil else {
            return nil
        }
        return network.addresses
    }

    mutating func connect(
        to address: SocketAddress, token: UInt64
    ) throws(KernelError) -> SocketID {
        lastSocket += 1
        network.dialled.append((address, network.now))
        var socket = Network.Socket(token: token)
        switch network.respond(address) {
        case .lost: break
        case .refused:
            socket.failure = KernelError(
                operation: "recv", code: 111, description: "connection refused")
            network.unreported.append(Wakeup(token: token, readable: true, writable: true))
        case .accepted:
            guard let peer = try? network.makePeer(network.peers.count) else {
                throw KernelError(operation: "connect", code: 1, description: "no server")
            }
            network.peers.append(peer)
            socket.peer = peer
            network.unreported.append(Wakeup(token: token, readable: false, writable: true))
        }
        network.sockets[lastSocket] = socket
        return SocketID(lastSocket)
    }

    mutating func listen(
        on address: SocketAddress, token: UInt64
    ) throws(KernelError) -> SocketID {
        throw KernelError(operation: "listen", code: 1, description: "not in this network")
    }

    func localAddress(of socket: SocketID) -> SocketAddress? { nil }
    func remoteAddress(of socket: SocketID) -> SocketAddress? { nil }
    mutating func accept(from listener: SocketID, token: UInt64) -> SocketID? { nil }

    mutating func receive(from socket: SocketID, _ body: (RawSpan) -> Void) -> Transfer {
        guard let state = network.sockets[socket.number] else {
            return .failed(KernelError(operation: "recv", code: 9, description: "closed socket"))
        }
        if let piece = state.incoming.first {
            network.sockets[socket.number]?.incoming.removeFirst()
            body(unsafe piece.span.bytes)
            return .bytes(piece.count)
        }
        if let failure = state.failure { return .failed(failure) }
        return state.hasEnded ? .ended : .wouldBlock
    }

    mutating func send(_ bytes: RawSpan, to socket: SocketID) -> Transfer {
        guard let state = network.sockets[socket.number] else {
            return .failed(KernelError(operation: "send", code: 9, description: "closed socket"))
        }
        if let failure = state.failure { return .failed(failure) }
        let count = min(bytes.byteCount, network.maxBytesPerSend)
        guard count > 0, let peer = state.peer else {
            network.sockets[socket.number]?.isBlocked = true
            return .wouldBlock
        }
        peer.receive(unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0.prefix(count)) })
        return .bytes(count)
    }

    mutating func shutDown(_ socket: SocketID) {
        network.sockets[socket.number]?.peer?.clientHasEnded = true
    }

    mutating func close(_ socket: SocketID) {
        network.sockets[socket.number]?.peer?.clientHasClosed = true
        network.sockets[socket.number] = nil
    }
}
