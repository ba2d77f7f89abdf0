internal import Delivery
internal import EventLoop
internal import TLS

/// The tunnel through a proxy, before TLS.
extension APNsConnection {
    /// TCP is connected: starts TLS, or first asks the proxy for a tunnel.
    mutating func connected(_ now: Instant) {
        let deadline = now + dialer.settings.handshakeTimeout
        enter(tunnel == nil ? .handshaking : .tunnelling, until: deadline)
    }

    /// Reads at most one buffer from the proxy; false when nothing more is available.
    mutating func receiveFromProxy<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine
    ) throws(ConnectionFailure) -> Bool {
        // Drained before the tunnel was open; the next flush closes it.
        guard phase != .draining else { return false }
        var bytes: [UInt8] = []
        switch kernel.receive(from: socket, { bytes = [UInt8](copying: $0) }) {
        case .wouldBlock: return false
        case .failed(let error):
            let operation = phase == .connecting ? "connect" : error.operation
            throw ConnectionFailure("\(operation): \(error.description)", .proxy)
        case .ended: throw tunnel?.closed ?? closedByPeer
        case .bytes: break
        }
        if phase == .connecting { connected(kernel.now) }
        guard let rest = try tunnel?.receive(bytes), tunnel?.isOpen == true else { return true }
        tunnel = nil
        enter(.handshaking, until: kernel.now + dialer.settings.handshakeTimeout)
        guard !rest.isEmpty else { return true }
        do throws(TLSError) {
            try rest.withRawSpan { (bytes) throws(TLSError) in try tls.receive(bytes) }
        } catch {
            throw ConnectionFailure(error)
        }
        return true
    }

    /// Sends the request to the proxy, as far as the socket accepts it.
    mutating func askProxy<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine
    ) throws(ConnectionFailure) {
        while let output = tunnel?.output, !output.isEmpty, !isBlocked {
            switch output.withRawSpan({ kernel.send($0, to: socket) }) {
            case .bytes(let count): tunnel?.sent(count)
            case .wouldBlock: isBlocked = true
            case .ended: throw tunnel?.closed ?? closedByPeer
            case .failed(let error): throw ConnectionFailure(error)
            }
        }
    }
}
