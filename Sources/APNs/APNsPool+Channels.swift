internal import Delivery
internal import EventLoop
internal import HTTP2

extension APNsPool {
    /// Sends a request about channels; if no connection can accept it right now, returns false and
    /// changes nothing.
    mutating func send<Machine: Kernel & ~Copyable>(
        _ request: ChannelRequest, tag: UInt64, _ kernel: inout Machine
    ) -> Bool {
        guard !isDraining else { return false }
        quietUntil = nil
        for index in keepers.indices
        where keepers[index].send(request, tag: tag, &kernel, &events) { return true }
        prove(kernel.now)
        return false
    }
}

extension ConnectionKeeper {
    fileprivate mutating func send<Machine: Kernel & ~Copyable>(
        _ request: ChannelRequest, tag: UInt64, _ kernel: inout Machine,
        _ events: inout PoolEventQueue
    ) -> Bool {
        somethingHappened()
        guard let current, current.connection.canSend(bodyBytes: request.body.count) else {
            return false
        }
        if current.connection.send(request, tag: tag, &kernel, &events) { return true }
        settle(&kernel, &events)
        return false
    }
}

extension APNsConnection {
    /// Sends a request about channels; false when it turned out that the connection cannot.
    fileprivate mutating func send<Machine: Kernel & ~Copyable>(
        _ request: ChannelRequest, tag: UInt64, _ kernel: inout Machine,
        _ events: inout PoolEventQueue
    ) -> Bool {
        let now = kernel.now
        do throws(ConnectionFailure) {
            if now >= tokenUse.nextCheck { try adoptToken(kernel.wallClock, now) }
        } catch {
            fail(error, &kernel, &events)
            return false
        }
        asksAboutChannels = true
        let number = requests.open(tag: tag, id: request.id, sentAt: now, pull: pulls)
        do throws(HTTP2Error) {
            try http2.submit(request.written(to: dialer.authority, tokenUse.current), tag: number)
            return true
        } catch {
            _ = requests.close(number)
            return refused(error, tag, &kernel, &events)
        }
    }
}

extension APNsResponse {
    /// Takes what a response about channels carries.
    mutating func takeChannels(_ response: HTTP2Response) {
        channelID = response.channelID
        if (200..<300).contains(response.status) { content = response.body }
    }
}
