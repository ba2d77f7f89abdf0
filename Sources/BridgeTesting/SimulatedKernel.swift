internal import Encoding
public import EventLoop

/// A kernel without a machine: virtual time, seeded chance, and sockets of a ``SimulatedNetwork``.
public struct SimulatedKernel: Kernel, ~Copyable {
    /// The network that its sockets belong to.
    public let network: SimulatedNetwork
    private let clock: SimulatedClock
    private let number: Int
    private var generator: SeededGenerator
    private var seenWakes: UInt64 = 0

    /// A kernel in the world of `network`.
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
    public var now: UInt64 { clock.now }

    /// The world's date.
    public var wallClock: Int64 { clock.wallClock }

    /// The next number of the seed.
    public mutating func random() -> UInt64 { generator.next() }

    /// Jumps to the next moment at which something concerns this kernel.
    public mutating func wait(until deadline: UInt64?, _ body: (Wakeup) -> Void) {
        let (network, number) = (network, number)
        clock.wait(number, until: deadline, seen: &seenWakes) { network.hasWakeups(of: number) }
        for wakeup in network.takeWakeups(of: number) { body(wakeup) }
    }

    /// Does nothing: what has no descriptor calls ``SimulatedClock/wake()``.
    public mutating func watch(_ descriptor: Int32, token: UInt64) {}

    /// Asks the network.
    public mutating func resolve(host: String, port: UInt16, token: UInt64) {
        network.resolve(host, port, kernel: number, token: token)
    }

    /// What the network found.
    public mutating func resolved(_ token: UInt64) -> Result<[SocketAddress], KernelError>? {
        network.takeLookup(kernel: number, token: token)
    }

    /// Connects to a host of the network.
    public mutating func connect(
        to address: SocketAddress, token: UInt64
    ) throws(KernelError) -> SocketID {
        network.connect(to: address, kernel: number, token: token)
    }

    /// Refuses: in a simulated world, servers are hosts of the network.
    public mutating func listen(
        on address: SocketAddress, token: UInt64
    ) throws(KernelError) -> SocketID {
        throw KernelError(
            operation: "listen", code: 95,
            description: "not simulated: add a host to the SimulatedNetwork instead")
    }

    /// No socket has an address here.
    public func localAddress(of socket: SocketID) -> SocketAddress? { nil }

    /// Nobody ever comes.
    public mutating func accept(from listener: SocketID, token: UInt64) -> SocketID? { nil }

    /// Lends what has arrived.
    public mutating func receive(
        from socket: SocketID, _ body: (RawSpan) -> Void
    ) -> Transfer {
        network.receive(from: socket, body)
    }

    /// Puts bytes on their way.
    public mutating func send(_ bytes: RawSpan, to socket: SocketID) -> Transfer {
        network.send(bytes, to: socket)
    }

    /// Ends our side.
    public mutating func shutDown(_ socket: SocketID) { network.shutDown(socket) }

    /// Closes a socket.
    public mutating func close(_ socket: SocketID) { network.close(socket) }
}
