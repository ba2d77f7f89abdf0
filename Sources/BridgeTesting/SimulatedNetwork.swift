public import EventLoop

/// A network in memory: hosts by name and address, a peer for each connection, and faults.
///
/// It belongs to one thread. Everything takes ``latency``, in virtual time.
public final class SimulatedNetwork {
    /// The clock of its world.
    public let clock: SimulatedClock
    /// The one-way latency.
    public var latency = Duration.milliseconds(5)
    /// The number of bytes in flight from a client at which its socket is full.
    public var sendBuffer = 256 * 1024
    /// A connection on which nothing has passed for this long is forgotten, as by a firewall: from
    /// then on everything is lost without a word, in both directions. Nil for never.
    public var forgetsAfter: Duration?
    /// The rules for faults, tried in order.
    public var rules: [FaultRule] = []
    /// The number of connections requested.
    public private(set) var connectionCount = 0

    private var names: [String: [SocketAddress]] = [:]
    private var hosts: [SocketAddress: () -> (any SimulatedPeer)?] = [:]
    private var lookups: [Position: Result<[SocketAddress], KernelError>] = [:]
    private var wakeups: [Int: [Wakeup]] = [:]
    var links: [Int32: SimulatedLink] = [:]

    private struct Position: Hashable {
        var kernel: Int
        var token: UInt64
    }

    /// Creates a network without hosts.
    public init(clock: SimulatedClock) { self.clock = clock }

    /// Adds a host at an address; `answer` creates the peer of a connection, or refuses it with
    /// nil.
    public func add(
        host name: String, at address: SocketAddress,
        response: @escaping () -> (any SimulatedPeer)?
    ) {
        names[name, default: []].append(address)
        hosts[address] = response
    }

    func fault(_ event: NetworkEvent) -> Fault {
        for rule in rules {
            if let fault = rule.decide(event, clock) { return fault }
        }
        return .pass
    }

    // MARK: Wake-ups

    func hasWakeups(of kernel: Int) -> Bool { wakeups[kernel]?.isEmpty == false }

    func takeWakeups(of kernel: Int) -> [Wakeup] {
        wakeups.removeValue(forKey: kernel) ?? []
    }

    func wake(_ kernel: Int, _ token: UInt64, readable: Bool = false, writable: Bool = false) {
        var list = wakeups[kernel] ?? []
        if let index = list.firstIndex(where: { $0.token == token }) {
            list[index].readable = list[index].readable || readable
            list[index].writable = list[index].writable || writable
        } else {
            list.append(Wakeup(token: token, readable: readable, writable: writable))
        }
        wakeups[kernel] = list
    }

    // MARK: Lookups

    func resolve(_ host: String, _ port: UInt16, kernel: Int, token: UInt64) {
        var delay = latency
        var result: Result<[SocketAddress], KernelError> = .failure(.notFound)
        switch fault(.lookup(host: host)) {
        case .stall: return
        case .failLookup, .refuse, .cut: break
        case .delay(let more):
            delay += more
            fallthrough
        case .pass, .corrupt:
            let found = (names[host] ?? []).filter { $0.port == port }
            if !found.isEmpty { result = .success(found) }
        }
        clock.schedule(after: delay) { [self] in
            lookups[Position(kernel: kernel, token: token)] = result
            wake(kernel, token, readable: true)
        }
    }

    func takeLookup(kernel: Int, token: UInt64) -> Result<[SocketAddress], KernelError>? {
        lookups.removeValue(forKey: Position(kernel: kernel, token: token))
    }

    // MARK: Connections

    func connect(to address: SocketAddress, kernel: Int, token: UInt64) -> SocketID {
        connectionCount += 1
        let link = SimulatedLink(number: connectionCount, kernel: kernel, token: token)
        links[Int32(connectionCount)] = link
        var delay = latency * 2
        switch fault(.connect(to: address, connection: link.number)) {
        case .stall: return SocketID(Int32(link.number))
        case .refuse, .cut, .failLookup:
            clock.schedule(after: delay) { self.fail(link, .refused) }
            return SocketID(Int32(link.number))
        case .delay(let more): delay += more
        case .pass, .corrupt: break
        }
        clock.schedule(after: delay) { [self] in
            guard !link.isClosed else { return }
            guard let peer = hosts[address]?() else { return fail(link, .refused) }
            link.peer = peer
            link.isOpen = true
            link.lastTraffic = clock.now
            wake(kernel, token, writable: true)
            pump(link)
        }
        return SocketID(Int32(link.number))
    }
}

extension KernelError {
    static let notFound = KernelError(
        operation: "resolve", code: -2, description: "name or service not known")
    static let refused = KernelError(
        operation: "connect", code: 111, description: "connection refused")
    static let reset = KernelError(
        operation: "recv", code: 104, description: "connection reset by peer")
}
