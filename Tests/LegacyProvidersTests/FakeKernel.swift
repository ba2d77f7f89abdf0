import Delivery
import EventLoop

/// A kernel with one listener whose sockets are arrays, and whose time stands until it is moved.
struct FakeKernel: Kernel, ~Copyable {
    /// What a peer and the table have put into a socket.
    struct Socket {
        var toTable: [UInt8] = []
        var toPeer: [UInt8] = []
        var peerHasEnded = false
        var hasShutDown = false
        var isClosed = false
        var isReset = false
        /// What the peer's machine has not acknowledged; nil when the connection is broken.
        var undelivered: Int? = 0
        /// How much the peer takes.
        var room = Int.max
    }

    var now = Instant.distantPast + .seconds(1)
    var wallClock: Int64 { 0 }
    var sockets: [Int32: Socket] = [:]
    var arriving: [Int32] = []
    /// The addresses of peers.
    var addresses: [Int32: SocketAddress] = [:]

    mutating func random() -> UInt64 { 4 }
    mutating func wait(until deadline: Instant?, _ body: (Wakeup) -> Void) {}
    mutating func watch(_ descriptor: Int32, token: UInt64) {}
    mutating func resolve(host: String, port: UInt16, token: UInt64) {}
    mutating func resolved(_ token: UInt64) -> Result<[SocketAddress], KernelError>? { nil }
    mutating func connect(
        to address: SocketAddress, token: UInt64
    ) throws(KernelError) -> SocketID {
        throw KernelError(operation: "connect", code: 1, description: "not here")
    }
    mutating func listen(
        on address: SocketAddress, token: UInt64
    ) throws(KernelError) -> SocketID {
        SocketID(0)
    }
    func localAddress(of socket: SocketID) -> SocketAddress? { nil }
    func remoteAddress(of socket: SocketID) -> SocketAddress? { addresses[socket.number] }

    mutating func accept(from listener: SocketID, token: UInt64) -> SocketID? {
        arriving.isEmpty ? nil : SocketID(arriving.removeFirst())
    }

    mutating func receive(from socket: SocketID, _ body: (RawSpan) -> Void) -> Transfer {
        guard var state = sockets[socket.number] else { return .ended }
        guard !state.toTable.isEmpty else { return state.peerHasEnded ? .ended : .wouldBlock }
        let bytes = state.toTable
        state.toTable = []
        sockets[socket.number] = state
        bytes.withRawSpan(body)
        return .bytes(bytes.count)
    }

    mutating func send(_ bytes: RawSpan, to socket: SocketID) -> Transfer {
        let count = min(bytes.byteCount, sockets[socket.number]?.room ?? 0)
        guard count > 0 else { return .wouldBlock }
        sockets[socket.number]?.toPeer += [UInt8](copying: bytes.extracting(0..<count))
        sockets[socket.number]?.room -= count
        return .bytes(count)
    }

    func undelivered(_ socket: SocketID) -> Int? { sockets[socket.number]?.undelivered }
    mutating func shutDown(_ socket: SocketID) { sockets[socket.number]?.hasShutDown = true }
    mutating func close(_ socket: SocketID) { sockets[socket.number]?.isClosed = true }

    mutating func abort(_ socket: SocketID) {
        sockets[socket.number]?.isClosed = true
        sockets[socket.number]?.isReset = true
    }
}
