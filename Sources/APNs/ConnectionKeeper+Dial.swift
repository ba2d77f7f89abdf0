internal import EventLoop

extension ConnectionKeeper {
    /// More connections than this do not leave at the same time: the next one waits.
    private static var mostLeaving: Int { 4 }

    /// Asks for the addresses of the host, as before every attempt.
    mutating func lookUp<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard leaving.count < Self.mostLeaving else {
            state = .waiting(until: kernel.now + dialer.settings.shortestBackoff)
            return
        }
        state = .resolving(until: kernel.now + dialer.settings.handshakeTimeout)
        let endpoint = dialer.endpoint
        kernel.resolve(host: endpoint.host, port: endpoint.port, token: token)
    }

    /// The lookup has ended: dials one address after the other, another one first each time.
    mutating func resolved<Machine: Kernel & ~Copyable>(
        _ result: Result<[SocketAddress], KernelError>, _ kernel: inout Machine,
        _ events: inout EventQueue
    ) {
        switch result {
        case .failure(let error):
            attemptFailed("resolve: \(error.description)", .lookup, &kernel, &events)
        case .success(let found) where found.isEmpty:
            attemptFailed("resolve: the host has no address", .lookup, &kernel, &events)
        case .success(let found):
            refusals = []
            let first = Int(rotation.magnitude % UInt(found.count))
            rotation &+= 1
            addresses = Array(found[first...] + found[..<first])
            dial(&kernel, &events)
        }
    }

    /// Connects to the next address of this attempt; after the last one it has failed, and only
    /// then the refusals are told.
    private mutating func dial<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout EventQueue
    ) {
        while !addresses.isEmpty {
            let address = addresses.removeFirst()
            do throws(ConnectionFailure) {
                let token = nextToken()
                let connection = try APNsConnection.dial(
                    dialer, to: address, token: token, &kernel)
                let box = ConnectionBox(connection, token: token)
                if current == nil { current = box } else { successor = box }
                state = .open
                return
            } catch {
                refusals.append(error.of(dialer.name(at: address)))
            }
        }
        for refusal in refusals { events.append(.failed(refusal)) }
        pause(&kernel)
    }

    /// An attempt that had no address to dial.
    mutating func attemptFailed<Machine: Kernel & ~Copyable>(
        _ words: String, _ cause: ConnectionFailure.Cause, _ kernel: inout Machine,
        _ events: inout EventQueue
    ) {
        events.append(.failed(ConnectionFailure(words, cause).of(dialer.name)))
        pause(&kernel)
    }

    /// Waits before the next attempt, longer with each failure.
    private mutating func pause<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        state = .waiting(until: kernel.now + backoff.failed(chance: kernel.random()))
    }

    /// Opens the successor: at once after a good life, at another address after a refused connect,
    /// after a pause otherwise.
    mutating func replace<Machine: Kernel & ~Copyable>(
        _ box: ConnectionBox, _ kernel: inout Machine, _ events: inout EventQueue
    ) {
        if let readyAt = box.connection.readyAt {
            // A short life is no failure when it was a useful one, but opens come slowly anyway.
            let isLong = kernel.now - readyAt >= dialer.settings.goodLife
            if isLong || box.connection.hasSucceeded { backoff.succeeded() }
            if isLong { lookUp(&kernel) } else { pause(&kernel) }
        } else if let refusal = box.connection.refusal {
            refusals.append(refusal)
            dial(&kernel, &events)
        } else {
            pause(&kernel)
        }
    }
}
