public import Delivery

/// Everything an event loop needs from the machine: time, randomness, sockets and readiness.
///
/// Production uses ``LinuxKernel``; tests use a simulated one. A loop is generic over its kernel,
/// never existential, so that the abstraction costs nothing at run time.
///
/// Sockets are watched edge-triggered from their creation: after a wake-up, receive or send until
/// the result is ``Transfer/wouldBlock``.
public protocol Kernel: ~Copyable {
    /// The time on the monotonic clock, as of this turn.
    var now: Instant { get }
    /// The time on the monotonic clock, read anew.
    var clock: Instant { get }
    /// Milliseconds since 1970.
    var wallClock: Int64 { get }
    /// The time since the machine started, which goes on while it sleeps and is never set.
    var bootTime: Instant { get }
    /// True while the system says that a time source keeps ``wallClock`` right.
    var isClockSynchronized: Bool { get }
    /// A random number: for jitter, never for secrets.
    mutating func random() -> UInt64
    /// Waits until something is ready or `deadline` passes, then reports each wake-up.
    mutating func wait(until deadline: Instant?, _ body: (Wakeup) -> Void)
    /// Reports `token` whenever `descriptor`, which the kernel does not own, is readable.
    mutating func watch(_ descriptor: Int32, token: UInt64) throws(KernelError)
    /// Starts a lookup of a host; `token` wakes when ``resolved(_:)`` has the result.
    mutating func resolve(host: String, port: UInt16, token: UInt64)
    /// The result of a lookup; returned once.
    mutating func resolved(_ token: UInt64) -> Result<[SocketAddress], KernelError>?
    /// Starts to connect; `token` wakes writable on success, or readable on failure.
    mutating func connect(to address: SocketAddress, token: UInt64) throws(KernelError) -> SocketID
    /// Has the system check a connection that is quiet, and break it when the peer's machine has
    /// acknowledged nothing for this long.
    mutating func limitSilence(_ socket: SocketID, to timeout: Duration)
    /// Listens on an address; `token` wakes when a client connects.
    mutating func listen(on address: SocketAddress, token: UInt64) throws(KernelError) -> SocketID
    /// The local address of a socket.
    func localAddress(of socket: SocketID) -> SocketAddress?
    /// The address of the peer of a socket; nil when it is not known.
    func remoteAddress(of socket: SocketID) -> SocketAddress?
    /// Accepts a pending connection and watches it as `token`; nil when there is none.
    mutating func accept(from listener: SocketID, token: UInt64) -> SocketID?
    /// Calls `body` with received bytes, at most one buffer.
    mutating func receive(from socket: SocketID, _ body: (RawSpan) -> Void) -> Transfer
    /// Sends as many bytes as fit.
    mutating func send(_ bytes: RawSpan, to socket: SocketID) -> Transfer
    /// How many bytes, including our FIN, the peer's machine has not acknowledged; nil when the
    /// connection is broken.
    func undelivered(_ socket: SocketID) -> Int?
    /// Shuts down our side: the peer sees the end of the stream.
    mutating func shutDown(_ socket: SocketID)
    /// Closes a socket.
    mutating func close(_ socket: SocketID)
    /// Resets a connection, so that the peer sees a RST, and closes the socket.
    mutating func abort(_ socket: SocketID)
}

extension Kernel where Self: ~Copyable {
    /// A kernel without a network has no quiet connections.
    public mutating func limitSilence(_ socket: SocketID, to timeout: Duration) {}

    /// A machine that never sleeps.
    public var bootTime: Instant { now }

    /// Nobody vouches for the wall clock.
    public var isClockSynchronized: Bool { false }

    /// A clock that stands still within a turn.
    public var clock: Instant { now }

    /// A kernel without a network has nothing in flight.
    public func undelivered(_ socket: SocketID) -> Int? { 0 }

    /// A kernel that does not support resets just closes the socket.
    public mutating func abort(_ socket: SocketID) { close(socket) }
}

/// A socket owned by a kernel.
public struct SocketID: Hashable, Sendable, BitwiseCopyable {
    /// The kernel's number for it.
    public var number: Int32

    /// Creates an ID.
    public init(_ number: Int32) { self.number = number }
}

/// One descriptor that became ready, named by the token it was registered with.
public struct Wakeup: Equatable, Sendable, BitwiseCopyable {
    /// The token it was registered with.
    public var token: UInt64
    /// There is something to read, or the peer has closed the connection.
    public var readable: Bool
    /// There is room to write, or a connection was established.
    public var writable: Bool

    /// Creates a wake-up.
    public init(token: UInt64, readable: Bool, writable: Bool) {
        self.token = token
        self.readable = readable
        self.writable = writable
    }
}

/// The result of a transfer.
public enum Transfer: Equatable, Sendable {
    /// This many bytes were transferred; never 0.
    case bytes(Int)
    /// Not possible now: wait for the next wake-up.
    case wouldBlock
    /// The peer has closed its side.
    case ended
    /// The connection is broken.
    case failed(KernelError)
}

/// An error of the operating system.
public struct KernelError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The system call, or `resolve`.
    public var operation: String
    /// The system's error number.
    public var code: Int32
    /// The system's error message.
    public var description: String

    /// True when the process, or its machine, lacks descriptors, threads or memory.
    public var lacksResources: Bool { ProcessLimits.isLack(code) }

    /// Creates an error.
    public init(operation: String, code: Int32, description: String) {
        self.operation = operation
        self.code = code
        self.description = description
    }
}
