internal import CLinux
public import Delivery
internal import Glibc

/// The real machine: `epoll`, non-blocking sockets, and the system's clocks.
@safe public struct LinuxKernel: Kernel, ~Copyable {
    private let epoll: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>
    private let buffer: UnsafeMutableRawBufferPointer
    private let resolver: Resolver
    private var generator = SystemRandomNumberGenerator()
    /// The clocks as they were after the last wait; nil when they are read each time.
    private var time: (now: Instant, wallClock: Int64)?

    private static var resolverToken: UInt64 { .max }
    private static var bufferSize: Int { 64 * 1024 }

    /// Creates an `epoll` that reports at most `capacity` wake-ups at a time.
    ///
    /// With `readsClockOncePerWait` the time stands still between two waits, for an owner whose
    /// turns are short. Throws when the process or the system is out of descriptors.
    public init(
        capacity: Int = 256, readsClockOncePerWait: Bool = false
    ) throws(KernelError) {
        // All properties are initialized together at the end: otherwise the optimizer of Swift 6.3
        // releases the resolver's property before it is initialized.
        let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw KernelError("epoll_create1", errno) }
        let resolver = Resolver()
        do throws(KernelError) {
            try Self.add(
                resolver.descriptor, EPOLLIN.rawValue | EPOLLET.rawValue, Self.resolverToken,
                to: epoll)
        } catch {
            _ = Glibc.close(epoll)
            throw error
        }
        let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: capacity)
        unsafe events.initialize(repeating: epoll_event())
        self.epoll = epoll
        unsafe self.events = events
        unsafe buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
        self.resolver = resolver
        if readsClockOncePerWait { time = Self.clocks }
    }

    deinit {
        _ = Glibc.close(epoll)
        unsafe events.deallocate()
        unsafe buffer.deallocate()
    }

    /// The time on the monotonic clock.
    public var now: Instant { time?.now ?? MonotonicClock.now }

    /// The time on the monotonic clock.
    public var clock: Instant { MonotonicClock.now }

    /// Milliseconds since 1970.
    public var wallClock: Int64 { time?.wallClock ?? WallClock.milliseconds }

    /// The time since the machine started.
    public var bootTime: Instant { Instant(nanoseconds: linux_boot_nanoseconds()) }

    /// What `adjtimex` says.
    public var isClockSynchronized: Bool { linux_clock_is_synchronized() == 1 }

    private static var clocks: (now: Instant, wallClock: Int64) {
        (MonotonicClock.now, WallClock.milliseconds)
    }

    /// A random number from the system's generator.
    public mutating func random() -> UInt64 { generator.next() }

    /// Waits in `epoll_wait`, then reports what became ready.
    public mutating func wait(until deadline: Instant?, _ body: (Wakeup) -> Void) {
        let count = unsafe epoll_wait(
            epoll, events.baseAddress, Int32(events.count), milliseconds(until: deadline))
        if time != nil { time = Self.clocks }
        guard count > 0 else { return }
        let ended = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
        for index in 0..<Int(count) {
            let event = unsafe events[index]
            let flags = unsafe event.events
            let token = unsafe event.data.u64
            if token == Self.resolverToken {
                resolver.forEachFinished {
                    body(Wakeup(token: $0, readable: true, writable: false))
                }
                continue
            }
            body(
                Wakeup(
                    token: token, readable: flags & (EPOLLIN.rawValue | ended) != 0,
                    writable: flags & (EPOLLOUT.rawValue | ended) != 0))
        }
    }

    private func milliseconds(until deadline: Instant?) -> Int32 {
        guard let deadline else { return -1 }
        return Int32(WaitLength.milliseconds(from: MonotonicClock.now, until: deadline))
    }

    /// Adds a descriptor that the kernel does not own: it is only read from.
    public mutating func watch(_ descriptor: Int32, token: UInt64) throws(KernelError) {
        try Self.add(descriptor, EPOLLIN.rawValue | EPOLLET.rawValue, token, to: epoll)
    }

    private static func add(
        _ descriptor: Int32, _ flags: UInt32, _ token: UInt64, to epoll: Int32
    ) throws(KernelError) {
        // The eventfd of a mailbox that could not have one: see `Mailbox.descriptor`.
        guard descriptor >= 0 else { throw KernelError("eventfd", -descriptor) }
        var event = unsafe epoll_event()
        unsafe event.events = flags
        unsafe event.data.u64 = token
        let result = unsafe epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
        guard result == 0 else { throw KernelError("epoll_ctl", errno) }
    }

    /// Watches a socket of ours; closes it if that is not possible.
    private func addSocket(
        _ descriptor: Int32, _ token: UInt64, also flags: UInt32 = 0
    ) throws(KernelError) -> SocketID {
        do throws(KernelError) {
            try Self.add(
                descriptor, EPOLLIN.rawValue | EPOLLET.rawValue | flags, token, to: epoll)
        } catch {
            _ = Glibc.close(descriptor)
            throw error
        }
        return SocketID(descriptor)
    }

    /// What a connection is watched for besides readability.
    private static var connectionFlags: UInt32 { EPOLLOUT.rawValue | EPOLLRDHUP.rawValue }

    /// Resolves a host on a separate thread; a numeric address needs none.
    public mutating func resolve(host: String, port: UInt16, token: UInt64) {
        resolver.resolve(host: host, port: port, token: token)
    }

    /// The result of a lookup; returned once.
    public mutating func resolved(_ token: UInt64) -> Result<[SocketAddress], KernelError>? {
        resolver.take(token)
    }

    /// Starts a non-blocking connect, with Nagle's algorithm off.
    public mutating func connect(
        to address: SocketAddress, token: UInt64
    ) throws(KernelError) -> SocketID {
        let descriptor = try openSocket(for: address)
        let result = unsafe address.withSystemAddress {
            unsafe Glibc.connect(descriptor, $0, $1)
        }
        if result != 0, errno != EINPROGRESS {
            let error = KernelError("connect", errno)
            _ = Glibc.close(descriptor)
            throw error
        }
        return try addSocket(descriptor, token, also: Self.connectionFlags)
    }

    /// Lets the system probe a quiet connection, and break one that acknowledges nothing.
    public mutating func limitSilence(_ socket: SocketID, to timeout: Duration) {
        linux_limit_silence(
            socket.number, Int32(clamping: max(1, timeout.wholeSeconds)),
            UInt32(clamping: max(1, timeout.milliseconds)))
    }

    /// Listens with address reuse, so that a restarted server gets its port back.
    public mutating func listen(
        on address: SocketAddress, token: UInt64
    ) throws(KernelError) -> SocketID {
        let descriptor = try openSocket(for: address)
        var on: Int32 = 1
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let bound = unsafe address.withSystemAddress { unsafe bind(descriptor, $0, $1) }
        guard bound == 0, Glibc.listen(descriptor, 1024) == 0 else {
            let error = KernelError(bound == 0 ? "listen" : "bind", errno)
            _ = Glibc.close(descriptor)
            throw error
        }
        return try addSocket(descriptor, token)
    }

    private func openSocket(for address: SocketAddress) throws(KernelError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(
            address.address.count == 4 ? AF_INET : AF_INET6,
            kind | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw KernelError("socket", errno) }
        disableNagle(descriptor)
        return descriptor
    }

    private func disableNagle(_ descriptor: Int32) {
        var on: Int32 = 1
        unsafe setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The address that the system gave to a socket.
    public func localAddress(of socket: SocketID) -> SocketAddress? {
        unsafe SocketAddress { unsafe getsockname(socket.number, $0, $1) }
    }

    /// The address of the peer.
    public func remoteAddress(of socket: SocketID) -> SocketAddress? {
        unsafe SocketAddress { unsafe getpeername(socket.number, $0, $1) }
    }

    /// Accepts a connection that is pending at a listener.
    public mutating func accept(from listener: SocketID, token: UInt64) -> SocketID? {
        let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = linux_accept(listener.number, flags)
        guard descriptor >= 0 else { return nil }
        disableNagle(descriptor)
        return try? addSocket(descriptor, token, also: Self.connectionFlags)
    }

    /// Calls `body` with at most 64 KiB of received bytes.
    public mutating func receive(
        from socket: SocketID, _ body: (RawSpan) -> Void
    ) -> Transfer {
        let count = unsafe recv(socket.number, buffer.baseAddress, buffer.count, 0)
        if count > 0 {
            body(unsafe UnsafeRawBufferPointer(rebasing: buffer[0..<count]).bytes)
            return .bytes(count)
        }
        return count == 0 ? .ended : failure("recv")
    }

    /// Sends without raising SIGPIPE.
    public mutating func send(_ bytes: RawSpan, to socket: SocketID) -> Transfer {
        guard bytes.byteCount > 0 else { return .wouldBlock }
        let count = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        return count > 0 ? .bytes(count) : failure("send")
    }

    private func failure(_ operation: String) -> Transfer {
        let code = errno
        if code == EAGAIN || code == EINTR || code == ENOTCONN { return .wouldBlock }
        return .failed(KernelError(operation, code))
    }

    /// Asks the system how much is unacknowledged, and whether the connection has failed.
    public func undelivered(_ socket: SocketID) -> Int? {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        let isKnown = unsafe getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &code, &size) == 0
        guard isKnown, code == 0 else { return nil }
        let count = linux_undelivered(socket.number)
        return count < 0 ? nil : Int(count)
    }

    /// Shuts down our side of a connection.
    public mutating func shutDown(_ socket: SocketID) {
        _ = Glibc.shutdown(socket.number, Int32(SHUT_WR))
    }

    /// Resets a connection: unsent bytes are dropped, and the peer gets a RST.
    public mutating func abort(_ socket: SocketID) {
        var now = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(
            socket.number, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close(socket)
    }

    /// Closes a socket; `epoll` removes it automatically.
    public mutating func close(_ socket: SocketID) {
        _ = Glibc.close(socket.number)
    }
}

extension KernelError {
    /// Describes the failure of a system call by `errno`; a limit is named, and how to raise it.
    init(_ operation: String, _ code: Int32) {
        let text = unsafe String(cString: strerror(code)).lowercased()
        self.init(
            operation: operation, code: code, description: text + ProcessLimits.remedy(for: code))
    }
}

/// How long a kernel waits for a deadline: the rule that the real kernel and simulated ones share.
public enum WaitLength {
    /// The longest wait; afterwards the owner looks again.
    public static let maximum = Duration.seconds(60)

    /// The milliseconds to wait, rounded up so that the deadline has passed when the wait ends; 0
    /// for a deadline that has passed.
    public static func milliseconds(from now: Instant, until deadline: Instant) -> Int64 {
        max(0, min((deadline - now).milliseconds, maximum.milliseconds))
    }
}
