/// Everything a loop asks of the machine: time, chance, sockets, and what became ready.
///
/// Production uses ``LinuxKernel``; tests use a simulated one. A loop is generic over its
/// kernel, never existential, so that the choice costs nothing at run time.
///
/// Sockets are watched from the moment they exist, edge by edge: after a wake-up, receive or
/// send until the response is ``Transfer/wouldBlock``.
public protocol Kernel: ~Copyable {
    /// Monotonic nanoseconds.
    var now: UInt64 { get }
    /// Milliseconds since 1970.
    var wallClock: Int64 { get }
    /// The next random number: for jitter, never for secrets.
    mutating func random() -> UInt64
    /// Sleeps until something is ready or `deadline` passes, then reports each wake-up.
    mutating func wait(until deadline: UInt64?, _ body: (Wakeup) -> Void)
    /// Reports `token` whenever `descriptor`, which somebody else owns, is readable.
    mutating func watch(_ descriptor: Int32, token: UInt64)
    /// Starts to look up a host; `token` wakes when ``resolved(_:)`` has the result.
    mutating func resolve(host: String, port: UInt16, token: UInt64)
    /// The addresses that a lookup found, once.
    mutating func resolved(_ token: UInt64) -> Result<[SocketAddress], KernelError>?
    /// Starts to connect; `token` wakes writable when it did, or readable when it could not.
    mutating func connect(to address: SocketAddress, token: UInt64) throws(KernelError) -> SocketID
    /// Listens; `token` wakes when somebody connects.
    mutating func listen(on address: SocketAddress, token: UInt64) throws(KernelError) -> SocketID
    /// The address that a socket has on this machine.
    func localAddress(of socket: SocketID) -> SocketAddress?
    /// Takes one waiting connection and watches it as `token`; nil when there is none.
    mutating func accept(from listener: SocketID, token: UInt64) -> SocketID?
    /// Lends what has arrived, at most one buffer full.
    mutating func receive(from socket: SocketID, _ body: (RawSpan) -> Void) -> Transfer
    /// Sends as much as fits.
    mutating func send(_ bytes: RawSpan, to socket: SocketID) -> Transfer
    /// How many bytes the peer's machine has not acknowledged, the end of our side included; nil
    /// when the connection is broken.
    func undelivered(_ socket: SocketID) -> Int?
    /// Ends our side: the peer sees the end of the stream.
    mutating func shutDown(_ socket: SocketID)
    /// Closes and forgets a socket.
    mutating func close(_ socket: SocketID)
    /// Breaks a connection off, so that the peer sees a reset, and forgets the socket.
    mutating func abort(_ socket: SocketID)
}

extension Kernel where Self: ~Copyable {
    /// On a kernel without a network nothing is on its way.
    public func undelivered(_ socket: SocketID) -> Int? { 0 }

    /// A kernel that knows no reset just closes.
    public mutating func abort(_ socket: SocketID) { close(socket) }
}

/// A socket that a kernel keeps.
public struct SocketID: Hashable, Sendable, BitwiseCopyable {
    /// The kernel's own number.
    public var number: Int32

    /// Names a socket.
    public init(_ number: Int32) { self.number = number }
}

/// One descriptor that became ready, named by the token it was registered with.
public struct Wakeup: Equatable, Sendable, BitwiseCopyable {
    /// What it was registered as.
    public var token: UInt64
    /// There is something to read, or the peer has gone.
    public var readable: Bool
    /// There is room to write, or a connection stands.
    public var writable: Bool

    /// Describes a wake-up.
    public init(token: UInt64, readable: Bool, writable: Bool) {
        self.token = token
        self.readable = readable
        self.writable = writable
    }
}

/// How a transfer of bytes ended.
public enum Transfer: Equatable, Sendable {
    /// So many bytes went over; never 0.
    case bytes(Int)
    /// Nothing now: wait for the next wake-up.
    case wouldBlock
    /// The peer has ended its stream.
    case ended
    /// The connection is broken.
    case failed(KernelError)
}

/// What the operating system refused.
public struct KernelError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The system call, or `resolve`.
    public var operation: String
    /// The system's number for the failure.
    public var code: Int32
    /// The system's words for it.
    public var description: String

    /// Describes a refusal.
    public init(operation: String, code: Int32, description: String) {
        self.operation = operation
        self.code = code
        self.description = description
    }
}
