internal import Delivery
internal import EventLoop
internal import HTTP2
internal import TLS

extension APNsConnection {
    /// Sends a request; false when it turned out that the connection cannot.
    mutating func send<Machine: Kernel & ~Copyable>(
        _ notification: borrowing Notification, id: NotificationID, tag: UInt64,
        _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) -> Bool {
        let now = kernel.now
        do throws(ConnectionFailure) {
            if now >= tokenUse.nextCheck { try adoptToken(kernel.wallClock, now) }
        } catch {
            fail(error, &kernel, &events)
            return false
        }
        writer.write(notification, id: id)
        guard dialer.allows(apnsTopic: writer.topic) else {
            if isOnTrial {
                refuseTrial(.notInCertificate)
                return false
            }
            events.append(.unsendable(tag: tag, .notInCertificate))
            return true
        }
        let number = requests.open(tag: tag, id: id, sentAt: now, pull: pulls)
        do throws(HTTP2Error) {
            try http2.submit(writer.request, body: notification.payload, tag: number)
            return true
        } catch {
            _ = requests.close(number)
            return refused(error, tag, &kernel, &events)
        }
    }

    /// No other request with a body of this size fits into the TLS record that may be written now.
    func hasFullRecord(bodyBytes: Int) -> Bool {
        !isBlocked
            && http2.pendingBytes + bodyBytes + Self.usualFields > TLSSession.maxRecord
    }

    /// How many bytes the frames of a request usually take besides its body.
    private static var usualFields: Int { 192 }

    /// HTTP/2 or TLS has bytes to write.
    var hasOutput: Bool { tls.hasOutput || http2.wantsToSend }

    /// The HTTP/2 stream of the request sent last.
    var lastStream: Int32 { http2.lastStream }

    /// HTTP/2 did not accept a request, because of the request or because of the connection.
    mutating func refused<Machine: Kernel & ~Copyable>(
        _ error: HTTP2Error, _ tag: UInt64, _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) -> Bool {
        if error.code == .badField || error.code == .fieldsTooLong {
            events.append(.unsendable(tag: tag, .invalidField(detail: error.detail)))
            return true
        }
        fail(ConnectionFailure(error), &kernel, &events)
        return false
    }

    /// Writes pending output, and closes a connection that has drained.
    mutating func flush<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        guard phase != .closed else { return }
        do throws(ConnectionFailure) {
            try write(&kernel)
        } catch {
            return fail(error, &kernel, &events)
        }
        // Writing may end a stream, and no incoming bytes need follow to reveal it.
        if http2.hasEvents { handleEvents(kernel.now, &events) }
        watchRoom(kernel.now)
        if phase == .draining, requests.count == 0 { close(&kernel, &events) }
    }

    /// Writes the pending output of HTTP/2 and TLS once, as far as the socket accepts it.
    private mutating func write<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine
    ) throws(ConnectionFailure) {
        guard !isBlocked else { return }
        if tunnel != nil { return try askProxy(&kernel) }
        if tls.hasOutput { try sendOutput(&kernel) }
        guard !isBlocked, tls.isEstablished, http2.wantsToSend else { return }
        try encrypt()
        try sendOutput(&kernel)
    }

    /// Moves HTTP/2's output into TLS.
    private mutating func encrypt() throws(ConnectionFailure) {
        pulls += 1
        var failure: TLSError?
        do throws(HTTP2Error) {
            try http2.send { bytes in
                guard failure == nil else { return }
                do throws(TLSError) { try tls.write(bytes) } catch { failure = error }
            }
        } catch {
            throw ConnectionFailure(error)
        }
        if let failure { throw ConnectionFailure(failure) }
    }

    /// Writes TLS's output to the socket until all is written or the socket is full.
    mutating func sendOutput<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine
    ) throws(ConnectionFailure) {
        var isClosed = false
        var failure: ConnectionFailure?
        while tls.hasOutput, !isBlocked, !isClosed, failure == nil {
            tls.withOutput { bytes in
                switch kernel.send(bytes, to: socket) {
                case .bytes(let count): return count
                case .wouldBlock: isBlocked = true
                case .ended: isClosed = true
                case .failed(let error): failure = ConnectionFailure(error)
                }
                return 0
            }
        }
        if isClosed { throw closedByPeer }
        if let failure { throw failure }
    }

    /// Sends GOAWAY and close_notify if the socket accepts them, and closes; open requests are
    /// reported as not sent or in doubt.
    mutating func close<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        guard phase != .closed else { return }
        if tls.isEstablished, !isBlocked {
            http2.goAway()
            try? write(&kernel)
        }
        abandonRequests(because: "the connection was closed", kernel.now, &events)
        tls.close()
        if !isBlocked, tunnel == nil { try? sendOutput(&kernel) }
        kernel.shutDown(socket)
        kernel.close(socket)
        enter(.closed)
    }
}
