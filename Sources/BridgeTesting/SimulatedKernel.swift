public import Delivery
internal import Encoding
public import EventLoop

/// A kernel without a machine: virtual time, seeded randomness, and sockets of a
/// ``SimulatedNetwork``.
public struct SimulatedKernel: Kernel, ~Copyable {
    /// The network that its sockets belong to.
    public let network: SimulatedNetwork
    private let clock: SimulatedClock
    private let number: Int
    private var generator: SeededGenerator
    private var seenWakes: UInt64 = 0

    /// Creates a kernel in the world of `network`.
    public init(network: SimulatedNetwork, seed: Seed) {
        self.network = network
        clock = network.clock
        number = network.clock.addKernel()
        generator = seed.generator(1)
    }

    deinit {
        clock.removeKernel(number)
        network.closeAll(of: number)
    }

    /// The world's time.
    public var now: Instant { clock.now }

    /// The world's date.
    public var wallClock: Int64 { clock.wallClock }

    /// The time since the machine started.
    public var bootTime: Instant { clock.bootTime }

    /// What the world says.
    public var isClockSynchronized: Bool { clock.isSynchronized }

    /// The next random number of the seed.
    public mutating func random() -> UInt64 { generator.next() }

    /// Waits until the next event that affects this kernel.
    public mutating func wait(until deadline: Instant?, _ body: (Wakeup) -> Void) {
        let (network, number) = (network, number)
        // As long as the real kernel, to the millisecond.
        let limit = deadline.map { deadline in
            now + .milliseconds(WaitLength.milliseconds(from: now, until: deadline))
        }
        clock.wait(number, until: limit, seen: &seenWakes) { network.hasWakeups(of: number) }
        for wakeup in network.takeWakeups(of: number) { body(wakeup) }
    }

    /// Does nothing: sources without a descriptor call ``SimulatedClock/wake()``.
    public mutating func watch(_ descriptor: Int32, token: UInt64) {}

    /// Resolves a host of the network.
    public mutating func resolve(host: String, port: UInt16, token: UInt64) {
        network.resolve(host, port, kernel: number, token: token)
    }

    /// The result of the network's lookup.
    public mutating func resolved(_ token: UInt64) -> Result<[SocketAddress], KernelError>? {
        network.takeLookup(kernel: number, token: token)
    }

    /// Connects to a host of the network.
    public mutating func connect(
        to address: SocketAddress, token: UInt64
    ) throws(KernelError) -> SocketID {
        network.connect(to: address, kernel: number, token: token)
    }

    /// Always throws: in a simulated world, servers are hosts of the network.
    public mutating func listen(
        on address: SocketAddress, token: UInt64
    ) throws(KernelError) -> SocketID {
        throw KernelError(
            operation: "listen", code: 95,
            description: "not simulated: add a host to the SimulatedNetwork instead")
    }

    /// No socket has an address here.
    public func localAddress(of socket: SocketID) -> SocketAddress? { nil }

    /// No socket has an address here.
    public func remoteAddress(of socket: SocketID) -> SocketAddress? { nil }

    /// No connections ever arrive.
    public mutating func accept(from listener: SocketID, token: UInt64) -> SocketID? { nil }

    /// Calls `body` with received bytes.
    public mutating func receive(
        from socket: SocketID, _ body: (RawSpan) -> Void
    ) -> Transfer {
        network.receive(from: socket, body)
    }

    /// Sends bytes.
    public mutating func send(_ bytes: RawSpan, to socket: SocketID) -> Transfer {
        network.send(bytes, to: socket)
    }

    /// Shuts down our side.
    public mutating func shutDown(_ socket: SocketID) { network.shutDown(socket) }

    /// Closes a socket.
    public mutating func close(_ socket: SocketID) { network.close(socket) }
}
