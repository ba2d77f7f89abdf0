internal import Delivery
internal import EventLoop
internal import HTTP2
internal import TLS

extension APNsConnection {
    /// The most buffers read in one turn, so that no peer monopolizes the worker.
    private static var receivesPerTurn: Int { 64 }

    /// Handles a wake-up of the socket.
    mutating func wake<Machine: Kernel & ~Copyable>(
        _ wakeup: Wakeup, _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        // Read first: a failed connect wakes both ways, and receiving returns its cause.
        if wakeup.readable { receive(&kernel, &events) }
        guard wakeup.writable, phase != .closed else { return }
        isBlocked = false
        if phase == .connecting { connected(kernel.now) }
    }

    /// Reads what has arrived and handles it.
    mutating func receive<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        hasMoreToRead = false
        for _ in 0..<Self.receivesPerTurn {
            guard phase != .closed else { return }
            do throws(ConnectionFailure) {
                guard try receiveOnce(&kernel, &events) else { return }
            } catch {
                return fail(error, &kernel, &events)
            }
        }
        hasMoreToRead = true
    }

    /// Reads at most one buffer; false when nothing more is available.
    private mutating func receiveOnce<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) throws(ConnectionFailure) -> Bool {
        if tunnel != nil { return try receiveFromProxy(&kernel) }
        var failure: TLSError?
        let transfer = kernel.receive(from: socket) { bytes in
            do throws(TLSError) { try tls.receive(bytes) } catch { failure = error }
        }
        switch transfer {
        case .wouldBlock: return false
        case .failed(let error):
            let operation = phase == .connecting ? "connect" : error.operation
            let cause: ConnectionFailure.Cause = phase == .connecting ? .refused : .other
            throw ConnectionFailure("\(operation): \(error.description)", cause)
        case .ended: throw closedByPeer
        case .bytes: break
        }
        // Whatever arrived before a broken record still counts.
        let isOpen = try readPlaintext(kernel.now, &events)
        if let failure { throw ConnectionFailure(failure) }
        guard isOpen else { throw closedByPeer }
        return true
    }

    /// Passes decrypted bytes to HTTP/2; false when the peer has closed its side.
    private mutating func readPlaintext(
        _ now: Instant, _ events: inout PoolEventQueue
    ) throws(ConnectionFailure) -> Bool {
        guard tls.isEstablished else { return true }
        heartbeat.received(now)
        if phase == .connecting { connected(now) }
        if phase == .handshaking { try checkProtocol() }
        var failure: HTTP2Error?
        let isOpen: Bool
        do throws(TLSError) {
            isOpen = try tls.read { plaintext in
                guard failure == nil else { return }
                do throws(HTTP2Error) { try http2.receive(plaintext) } catch { failure = error }
            }
        } catch {
            handleEvents(now, &events)
            throw ConnectionFailure(error)
        }
        handleEvents(now, &events)
        if let failure { throw ConnectionFailure(failure) }
        return isOpen
    }

    /// TLS is established: the peer must have agreed to HTTP/2.
    private mutating func checkProtocol() throws(ConnectionFailure) {
        guard tls.negotiatedProtocol == "h2" else {
            throw ConnectionFailure("the peer does not speak HTTP/2 (ALPN has no h2)", .notAPNs)
        }
        enter(.awaitingSettings, until: phaseDeadline)
    }
}
