public import Delivery
public import EventLoop

/// The simulator's part of an event loop: a listener, and a connection for each client.
///
/// The owner of the kernel waits, and passes on the wake-ups whose token ``owns(_:)`` accepts.
public struct SimulatorLoop: ~Copyable {
    let service: SimulatorService
    private let firstToken: UInt64
    private var listener: SocketID?
    private var address: SocketAddress?
    /// When the scenario next starts or stops refusing connections.
    private var refusalChange: Instant?
    private var clients: [ClientConnection?] = []
    private var free: [Int] = []
    private var earliest: Instant?

    /// Creates a simulator that uses the tokens from `firstToken` on.
    public init(service: SimulatorService, firstToken: UInt64 = 0) {
        self.service = service
        self.firstToken = firstToken
    }

    /// Whether a wake-up belongs to the simulator.
    public func owns(_ token: UInt64) -> Bool {
        token >= firstToken && token - firstToken <= UInt64(clients.count)
    }

    /// When ``expire(kernel:)`` has something to do.
    public var nextDeadline: Instant? { earlier(earliest, refusalChange) }

    /// Starts listening, and returns the address.
    public mutating func listen<Machine: Kernel & ~Copyable>(
        on address: SocketAddress, kernel: inout Machine
    ) throws(KernelError) -> SocketAddress {
        let socket = try kernel.listen(on: address, token: firstToken)
        listener = socket
        let address = kernel.localAddress(of: socket) ?? address
        self.address = address
        followRefusal(&kernel)
        return address
    }

    /// Starts another scenario; open connections join it.
    public mutating func begin<Machine: Kernel & ~Copyable>(
        _ scenario: Scenario, kernel: inout Machine
    ) throws(SimulatorError) {
        try service.begin(scenario, at: kernel.now)
        earliest = kernel.now
        followRefusal(&kernel)
        expire(kernel: &kernel)
    }

    /// Stops or starts listening, as the scenario requires.
    private mutating func followRefusal<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        let time = service.run.time(at: kernel.now)
        refusalChange = service.run.nextRefusalChange(after: time).map { service.run.moment($0) }
        if service.run.refuses(at: time) {
            if let listener { kernel.close(listener) }
            listener = nil
        } else if listener == nil, let address {
            listener = try? kernel.listen(on: address, token: firstToken)
            // The port is taken by another process: retries in a second.
            if listener == nil { refusalChange = kernel.now + .seconds(1) }
        }
    }

    /// Handles a wake-up.
    public mutating func wake<Machine: Kernel & ~Copyable>(
        _ wakeup: Wakeup, kernel: inout Machine
    ) {
        guard owns(wakeup.token) else { return }
        if wakeup.token == firstToken { return accept(&kernel) }
        let index = Int(wakeup.token - firstToken) - 1
        guard let client = clients[index] else { return }
        if wakeup.writable { client.isBlocked = false }
        if wakeup.readable { client.isReadable = true }
        turn(client, index, &kernel)
    }

    /// Sends the delayed responses that are due.
    public mutating func expire<Machine: Kernel & ~Copyable>(kernel: inout Machine) {
        if let due = refusalChange, due <= kernel.now { followRefusal(&kernel) }
        guard let due = earliest, due <= kernel.now else { return }
        earliest = nil
        let moment = SimulatorMoment(now: kernel.now, wallClock: kernel.wallClock)
        for index in clients.indices {
            guard let client = clients[index] else { continue }
            client.connection.expire(at: moment)
            turn(client, index, &kernel)
        }
    }

    /// Sends a GOAWAY to every client, and closes all sockets.
    public mutating func stop<Machine: Kernel & ~Copyable>(kernel: inout Machine) {
        if let listener { kernel.close(listener) }
        listener = nil
        for index in clients.indices {
            guard let client = clients[index] else { continue }
            client.connection.stop()
            client.send(&kernel)
            kernel.shutDown(client.socket)
            close(client, index, &kernel)
        }
    }

    private mutating func accept<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard let listener else { return }
        while true {
            let index = free.last ?? clients.count
            let token = firstToken + UInt64(index) + 1
            guard let socket = kernel.accept(from: listener, token: token) else { return }
            let moment = SimulatorMoment(now: kernel.now, wallClock: kernel.wallClock)
            let address = kernel.remoteAddress(of: socket)?.address
            guard makeRoom(for: address, &kernel),
                let connection = try? SimulatorConnection(service: service, at: moment)
            else {
                kernel.abort(socket)
                continue
            }
            let client = ClientConnection(socket: socket, address: address, connection: connection)
            if index == clients.count {
                clients.append(client)
            } else {
                // Another slot may have become free since.
                free.removeAll { $0 == index }
                clients[index] = client
            }
        }
    }

    /// Whether there is room for another client. At the limit of all, and at that of handshakes of
    /// an address, the oldest one that has not finished its handshake makes room: whoever says
    /// nothing keeps nobody out.
    private mutating func makeRoom<Machine: Kernel & ~Copyable>(
        for address: [UInt8]?, _ kernel: inout Machine
    ) -> Bool {
        let unfinished = clients.indices.filter { clients[$0]?.connection.isHandshaking == true }
        let own = unfinished.filter { clients[$0]?.address == address }
        let isFull = clients.count - free.count >= service.connectionLimit
        let isCrowded = address != nil && own.count >= maxHandshakesPerAddress
        guard isFull || isCrowded else { return true }
        let oldest = (isCrowded ? own : unfinished).min { left, right in
            guard let left = clients[left], let right = clients[right] else { return false }
            return left.connection.handshakeDeadline < right.connection.handshakeDeadline
        }
        guard let oldest, let client = clients[oldest] else { return false }
        kernel.abort(client.socket)
        clients[oldest] = nil
        free.append(oldest)
        return true
    }

    /// Bridges may share an address, so that it is a good part of all.
    private var maxHandshakesPerAddress: Int { max(16, service.connectionLimit / 4) }

    private mutating func turn<Machine: Kernel & ~Copyable>(
        _ client: ClientConnection, _ index: Int, _ kernel: inout Machine
    ) {
        let moment = SimulatorMoment(now: kernel.now, wallClock: kernel.wallClock)
        guard client.turn(&kernel, at: moment) else { return close(client, index, &kernel) }
        guard let deadline = client.connection.nextDeadline else { return }
        earliest = min(earliest ?? deadline, deadline)
    }

    private mutating func close<Machine: Kernel & ~Copyable>(
        _ client: ClientConnection, _ index: Int, _ kernel: inout Machine
    ) {
        if client.connection.isToBeReset {
            kernel.abort(client.socket)
        } else {
            kernel.close(client.socket)
        }
        clients[index] = nil
        free.append(index)
        // After descriptors had run out, connections may be pending without a further wake-up.
        accept(&kernel)
    }
}
