internal import EventLoop
internal import TLS

/// The way through a proxy, before TLS.
extension APNsConnection {
    /// TCP stands: TLS begins, or first the proxy is asked for a tunnel.
    mutating func connected(_ now: UInt64) {
        let deadline = now + dialer.settings.handshakeTimeout
        enter(tunnel == nil ? .handshaking : .tunnelling, until: deadline)
    }

    /// Reads one buffer full of what the proxy says; false when there is nothing more now.
    mutating func receiveFromProxy<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine
    ) throws(ConnectionFailure) -> Bool {
        // It was drained before the tunnel was open, and is closed by the next flush.
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

    /// Sends what the proxy has to be asked, as far as the socket takes it.
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
