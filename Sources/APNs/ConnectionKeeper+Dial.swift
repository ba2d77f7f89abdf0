internal import Delivery
internal import EventLoop
internal import HTTP2

extension ConnectionKeeper {
    /// The most connections that may be draining at once: the next replacement waits.
    private static var maxLeaving: Int { 4 }

    /// Looks up the host's addresses, as before every attempt.
    mutating func lookUp<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard leaving.count < Self.maxLeaving else {
            state = .waiting(until: kernel.now + dialer.settings.minBackoff)
            return
        }
        state = .resolving(until: kernel.now + dialer.settings.handshakeTimeout)
        let target = dialer.target
        kernel.resolve(host: target.host, port: target.port, token: token)
    }

    /// The lookup has finished: dials the addresses in order, starting with a different one each
    /// time.
    mutating func resolved<Machine: Kernel & ~Copyable>(
        _ result: Result<[SocketAddress], KernelError>, _ kernel: inout Machine,
        _ events: inout PoolEventQueue
    ) {
        switch result {
        case .failure(let error):
            attemptFailed("resolve: \(error.description)", .lookup, &kernel, &events)
        case .success(let found) where found.isEmpty:
            attemptFailed("resolve: the host name has no address", .lookup, &kernel, &events)
        case .success(let found):
            refusals = []
            self.found = Self.alternating(found)
            let first = Int(rotation.magnitude % UInt(found.count))
            rotation &+= 1
            addresses = Array(self.found[first...] + self.found[..<first])
            dial(&kernel, &events)
        }
    }

    /// Interleaves the two address families, so that a broken one costs only one attempt.
    private static func alternating(_ found: [SocketAddress]) -> [SocketAddress] {
        guard let family = found.first?.address.count else { return found }
        let one = found.filter { $0.address.count == family }
        let other = found.filter { $0.address.count != family }
        return (0..<max(one.count, other.count)).flatMap { index in
            one[index...].prefix(1) + other.dropFirst(index).prefix(1)
        }
    }

    /// Connects to the next address of this attempt that may be dialled now; after the last one the
    /// attempt has failed, and only then are the failures reported.
    private mutating func dial<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        let now = kernel.now
        while let index = addresses.firstIndex(where: { history.opening(of: $0) <= now }) {
            let address = addresses.remove(at: index)
            history.dialled(address, now, dialer.settings)
            do throws(ConnectionFailure) {
                let token = nextToken()
                let connection = try APNsConnection.dial(
                    dialer, to: address, token: token, isOnTrial: isOnTrial, &kernel)
                let box = ConnectionBox(connection, token: token)
                box.isForProbes = opensForProbes && current != nil
                opensForProbes = false
                if current == nil { current = box } else { successor = box }
                state = .open
                return
            } catch {
                refusals.append(error.of(dialer.name(at: address)))
                let blame: AddressHistory.Blame = error.cause == .resources ? .route : .address
                failed(address, blaming: blame, dialledAt: now, &kernel)
            }
        }
        for refusal in refusals { events.append(.failed(refusal)) }
        refusals = []
        waitForAddress(&kernel)
    }

    /// Waits until the first address may be dialled; after a failed attempt at least for its own
    /// back-off.
    private mutating func waitForAddress<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        let opening = found.map { history.opening(of: $0) }.min() ?? .distantPast
        if hasFailed { pause(&kernel) } else { state = .waiting(until: kernel.now) }
        hasFailed = false
        guard case .waiting(let time) = state else { return }
        state = .waiting(until: max(time, opening))
    }

    /// An address did not accept a connection, or dropped a new one.
    private mutating func failed<Machine: Kernel & ~Copyable>(
        _ address: SocketAddress, blaming blame: AddressHistory.Blame, dialledAt: Instant,
        _ kernel: inout Machine
    ) {
        hasFailed = true
        let chance = kernel.random()
        history.failed(
            address, blaming: blame, dialledAt: dialledAt, kernel.now, chance: chance,
            dialer.settings)
    }

    /// An attempt had no address to dial.
    mutating func attemptFailed<Machine: Kernel & ~Copyable>(
        _ message: String, _ cause: ConnectionFailure.Cause, _ kernel: inout Machine,
        _ events: inout PoolEventQueue
    ) {
        events.append(.failed(ConnectionFailure(message, cause).of(dialer.name)))
        pause(&kernel)
    }

    /// Waits before the next attempt, longer after each failure.
    private mutating func pause<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        opensForProbes = false
        state = .waiting(until: kernel.now + backoff.failed(chance: kernel.random()))
    }

    /// Opens a replacement: immediately if the connection lasted long enough, otherwise at the next
    /// address that may be dialled, or after a pause when there is none.
    mutating func replace<Machine: Kernel & ~Copyable>(
        _ box: ConnectionBox, _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        let address = box.connection.address
        let life = box.connection.readyAt.map { kernel.now - $0 } ?? .zero
        let isLong = life >= dialer.settings.stableAfter
        // A short-lived connection that was useful is no failure, but opening another still takes a
        // pause.
        if isLong || box.connection.hasAccepted {
            backoff.succeeded()
            history.succeeded(address)
        }
        if isLong { return lookUp(&kernel) }
        failed(
            address, blaming: box.connection.blame, dialledAt: box.connection.dialledAt, &kernel)
        if let refusal = box.connection.refusal { refusals.append(refusal) }
        dial(&kernel, &events)
    }
}
