internal import CAllocations
internal import Delivery
internal import EventLoop
internal import TLS

/// A kernel whose time passes by turns, and whose sockets end in peers of this process.
///
/// All that the peers do happens in ``peersWork()``, which is not counted.
struct BenchmarkKernel: Kernel, ~Copyable {
    /// What the peers have cost: it does not belong to the worker.
    final class Excluded {
        var allocations: UInt64 = 0
        var nanoseconds: UInt64 = 0
    }

    private struct Connection {
        let peer: BenchmarkPeer
        let token: UInt64
        var sent: [UInt8] = []
        var arrived: [UInt8] = []
        var isNew = true
    }

    private(set) var now = Instant.distantPast + .seconds(1)
    let excluded: Excluded
    private let context: TLSContext
    private var connections: [Connection] = []
    private var lookups: [UInt64] = []
    private var wakeups: [Wakeup] = []
    private var randomState: UInt64 = 1

    init(context: TLSContext, excluded: Excluded) {
        self.context = context
        self.excluded = excluded
        wakeups.reserveCapacity(16)
    }

    /// 2026-01-01T10:00:00Z, and what has passed since.
    var wallClock: Int64 { 1_767_261_600_000 + (now - .distantPast).wholeMilliseconds - 1000 }

    mutating func random() -> UInt64 {
        randomState = randomState &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return randomState >> 33
    }

    /// A turn takes a millisecond; when nothing happens, time continues to the deadline.
    mutating func wait(until deadline: Instant?, _ body: (Wakeup) -> Void) {
        now += .milliseconds(1)
        let allocations = allocations_of_this_thread()
        let start = processor_time_of_this_thread()
        peersWork()
        excluded.nanoseconds += processor_time_of_this_thread() - start
        excluded.allocations += allocations_of_this_thread() - allocations
        if wakeups.isEmpty, let deadline { now = max(now, deadline) }
        for wakeup in wakeups { body(wakeup) }
    }

    /// Lets the peers read and answer. Named in the Makefile, so that it is not counted.
    @inline(never)
    private mutating func peersWork() {
        wakeups.removeAll(keepingCapacity: true)
        for token in lookups { wake(token, readable: true) }
        for index in connections.indices {
            let token = connections[index].token
            if connections[index].isNew { wake(token, readable: false) }
            connections[index].isNew = false
            if !connections[index].sent.isEmpty {
                try? connections[index].peer.receive(connections[index].sent)
                connections[index].sent.removeAll(keepingCapacity: true)
            }
            let output = connections[index].peer.takeOutput()
            guard !output.isEmpty else { continue }
            connections[index].arrived += output
            wake(token, readable: true)
        }
    }

    private mutating func wake(_ token: UInt64, readable: Bool) {
        wakeups.append(Wakeup(token: token, readable: readable, writable: !readable))
    }

    mutating func watch(_ descriptor: Int32, token: UInt64) {}

    mutating func resolve(host: String, port: UInt16, token: UInt64) { lookups.append(token) }

    mutating func resolved(_ token: UInt64) -> Result<[SocketAddress], KernelError>? {
        guard let index = lookups.firstIndex(of: token) else { return nil }
        lookups.remove(at: index)
        return .success([.loopback(port: 443)])
    }

    mutating func connect(
        to address: SocketAddress, token: UInt64
    ) throws(KernelError) -> SocketID {
        guard let peer = try? BenchmarkPeer(context) else {
            throw KernelError(operation: "connect", code: 1, description: "no TLS")
        }
        connections.append(Connection(peer: peer, token: token))
        for index in connections.indices {
            connections[index].sent.reserveCapacity(1 << 20)
            connections[index].arrived.reserveCapacity(1 << 16)
        }
        return SocketID(Int32(connections.count - 1))
    }

    mutating func receive(from socket: SocketID, _ body: (RawSpan) -> Void) -> Transfer {
        let index = Int(socket.number)
        let count = connections[index].arrived.count
        guard count > 0 else { return .wouldBlock }
        connections[index].arrived.withRawSpan(body)
        connections[index].arrived.removeAll(keepingCapacity: true)
        return .bytes(count)
    }

    mutating func send(_ bytes: RawSpan, to socket: SocketID) -> Transfer {
        let index = Int(socket.number)
        unsafe bytes.withUnsafeBytes { unsafe connections[index].sent.append(contentsOf: $0) }
        return .bytes(bytes.byteCount)
    }

    mutating func listen(
        on address: SocketAddress, token: UInt64
    ) throws(KernelError) -> SocketID {
        throw KernelError(operation: "listen", code: 95, description: "nobody comes")
    }

    func localAddress(of socket: SocketID) -> SocketAddress? { nil }
    func remoteAddress(of socket: SocketID) -> SocketAddress? { nil }
    mutating func accept(from listener: SocketID, token: UInt64) -> SocketID? { nil }
    mutating func shutDown(_ socket: SocketID) {}
    mutating func close(_ socket: SocketID) {}
}
