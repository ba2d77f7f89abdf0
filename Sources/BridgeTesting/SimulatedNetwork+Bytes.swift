internal import APNsSimulator
internal import Delivery
internal import EventLoop
internal import JSON

/// Transfers bytes over a simulated connection.
extension SimulatedNetwork {
    private static var receiveBuffer: Int { 64 * 1024 }

    func receive(from socket: SocketID, _ body: (RawSpan) -> Void) -> Transfer {
        guard let link = links[socket.number] else { return .failed(.reset) }
        let count = min(link.arrived.count, Self.receiveBuffer)
        if count > 0 {
            let piece = Array(link.arrived.prefix(count))
            link.arrived.removeFirst(count)
            piece.withRawSpan(body)
            return .bytes(count)
        }
        if let failure = link.failure { return .failed(failure) }
        return link.hasEnded ? .ended : .wouldBlock
    }

    func send(_ bytes: RawSpan, to socket: SocketID) -> Transfer {
        guard let link = links[socket.number] else { return .failed(.reset) }
        if let failure = link.failure { return .failed(failure) }
        guard link.isOpen, bytes.byteCount > 0 else { return .wouldBlock }
        let count = min(bytes.byteCount, sendBuffer - link.underway)
        guard count > 0 else {
            link.isFull = true
            return .wouldBlock
        }
        if count < bytes.byteCount { link.isFull = true }
        link.underway += count
        var copy: [UInt8] = []
        copy.appendBytes(bytes.extracting(0..<count))
        transmit(copy, over: link)
        return .bytes(count)
    }

    /// Lets a firewall forget a connection that was quiet for too long.
    private func noteTraffic(_ link: SimulatedLink) {
        if let limit = forgetsAfter, clock.now - link.lastTraffic >= limit {
            link.toPeer.isStalled = true
            link.toClient.isStalled = true
        }
        link.lastTraffic = clock.now
    }

    private func transmit(_ bytes: [UInt8], over link: SimulatedLink) {
        noteTraffic(link)
        guard !link.toPeer.isStalled else { return }
        let event = NetworkEvent.toPeer(connection: link.number, bytes: bytes.count)
        deliver(bytes, fault(event), &link.toPeer, link) { [self] bytes in
            link.underway -= bytes.count
            if link.isFull {
                link.isFull = false
                wake(link.kernel, link.token, writable: true)
            }
            link.peer?.receive(bytes, at: moment)
            pump(link)
        }
    }

    /// Delivers bytes, as far as the fault allows.
    private func deliver(
        _ bytes: [UInt8], _ fault: Fault, _ direction: inout SimulatedDirection,
        _ link: SimulatedLink, _ arrive: @escaping ([UInt8]) -> Void
    ) {
        var (delay, bytes) = (latency, bytes)
        var isCut = false
        switch fault {
        case .pass: break
        case .delay(let more): delay += more
        case .stall:
            direction.isStalled = true
            return
        case .corrupt(let position): bytes[position % bytes.count] ^= 0x10
        case .cut(let count):
            bytes = Array(bytes.prefix(max(0, count)))
            isCut = true
        case .refuse, .failLookup:
            bytes = []
            isCut = true
        }
        if isCut { direction.isStalled = true }
        clock.schedule(at: direction.arrival(clock.now + delay)) { [self] in
            guard link.failure == nil else { return }
            if !bytes.isEmpty { arrive(bytes) }
            if isCut { fail(link, .reset) }
        }
    }

    /// Sends the peer's output, and schedules its next deadline.
    func pump(_ link: SimulatedLink) {
        guard let peer = link.peer else { return }
        let output = peer.takeOutput()
        if !output.isEmpty { noteTraffic(link) }
        if !output.isEmpty, !link.toClient.isStalled {
            let event = NetworkEvent.toClient(connection: link.number, bytes: output.count)
            deliver(output, fault(event), &link.toClient, link) { [self] bytes in
                guard !link.isClosed else { return }
                link.arrived += bytes
                wake(link.kernel, link.token, readable: true)
            }
        }
        if peer.isEnded { return end(link) }
        guard let deadline = peer.nextDeadline, deadline != link.scheduledDeadline else { return }
        link.scheduledDeadline = deadline
        clock.schedule(at: deadline) { [self] in
            guard link.scheduledDeadline == deadline, let peer = link.peer else { return }
            link.scheduledDeadline = nil
            peer.expire(at: moment)
            pump(link)
        }
    }

    /// The peer has closed its side.
    private func end(_ link: SimulatedLink) {
        link.peer = nil
        guard !link.toClient.isStalled else { return }
        let last = link.toClient.arrival(clock.now + latency)
        clock.schedule(at: last) { [self] in
            link.hasEnded = true
            if !link.isClosed { wake(link.kernel, link.token, readable: true) }
        }
    }

    func fail(_ link: SimulatedLink, _ failure: KernelError) {
        link.failure = failure
        link.isOpen = false
        link.peer?.clientHasGone()
        link.peer = nil
        if !link.isClosed { wake(link.kernel, link.token, readable: true, writable: true) }
    }

    func shutDown(_ socket: SocketID) {
        guard let link = links[socket.number], link.peer != nil else { return }
        clock.schedule(at: link.toPeer.arrival(clock.now + latency)) { [self] in
            link.peer?.clientHasGone()
            link.peer = nil
            if !link.isClosed { end(link) }
        }
    }

    func close(_ socket: SocketID) {
        guard let link = links.removeValue(forKey: socket.number) else { return }
        link.isClosed = true
        guard link.peer != nil else { return }
        clock.schedule(at: link.toPeer.arrival(clock.now + latency)) {
            link.peer?.clientHasGone()
            link.peer = nil
        }
    }

    func closeAll(of kernel: Int) {
        for (number, link) in links where link.kernel == kernel { close(SocketID(number)) }
    }

    var moment: SimulatorMoment {
        SimulatorMoment(now: clock.now, wallClock: clock.wallClock)
    }
}
