internal import Delivery
internal import EventLoop
internal import HTTP2
internal import TLS

extension APNsConnection {
    /// Handles the events that HTTP/2 found in the peer's bytes.
    mutating func handleEvents(_ now: Instant, _ events: inout PoolEventQueue) {
        while true {
            if let (number, identifier) = http2.nextAccepted() {
                accepted(number, identifier, now, &events)
                continue
            }
            guard let event = http2.nextEvent() else { return }
            switch event {
            case .settings:
                guard phase == .awaitingSettings else { continue }
                enter(.ready)
                readyAt = now
                events.append(.connected(address, isResumed: tls.isResumed))
            case .response(let number, let response):
                responded(number, response, now, &events)
            case .failed(let number, let failure):
                failed(number, failure, &events)
            case .goAway(_, let code, let debug):
                goingAway(code, debug, &events)
            case .pong(let number): heartbeat.pong(number)
            }
        }
    }

    /// A 200 with nothing but an identifier, which shows whether the response comes from APNs.
    private mutating func accepted(
        _ number: Int, _ identifier: UInt128?, _ now: Instant, _ events: inout PoolEventQueue
    ) {
        guard let request = requests[number] else { return }
        guard let identifier, identifier == APNsResponse.number(of: request.id) else {
            let response = HTTP2Response(status: 200, identifier: identifier)
            return responded(number, response, now, &events)
        }
        guard let tag = requests.close(number) else { return }
        noteResponse()
        noteAcceptance()
        events.accepted(tag, credential: dialer.version)
    }

    private mutating func noteResponse() {
        timeoutsInRow = 0
        hasRefused = false
        slowStart.responded()
    }

    private mutating func noteAcceptance() {
        hasAccepted = true
        isOnTrial = false
        tokenUse.accepted()
    }

    private mutating func responded(
        _ number: Int, _ message: HTTP2Response, _ now: Instant, _ events: inout PoolEventQueue
    ) {
        guard let request = requests[number], let tag = requests.close(number) else { return }
        noteResponse()
        var response = APNsResponse(message, to: request.id)
        if asksAboutChannels { response.takeChannels(message) }
        guard !response.isAccepted else {
            noteAcceptance()
            return report(response, to: tag, &events)
        }
        let row = response.row
        if isOnTrial, row.refusesTrial {
            // The current credential might be accepted: the push is resent over a connection with
            // it.
            if row.isInDoubt {
                report(response, to: tag, &events)
            } else {
                events.append(.notSent(tag: tag))
            }
            return refuseTrial(.response(status: response.status, reason: response.reason))
        }
        report(response, to: tag, &events)
        judgeToken(row.providerToken, sentAt: request.sentAt, now, &events)
        if row.replacesConnection { drain() }
    }

    private func report(_ response: APNsResponse, to tag: UInt64, _ events: inout PoolEventQueue) {
        events.append(.responded(tag: tag, response, credential: dialer.version))
    }

    private mutating func failed(
        _ number: Int, _ failure: HTTP2StreamFailure, _ events: inout PoolEventQueue
    ) {
        guard let tag = requests.close(number) else { return }
        timeoutsInRow = 0
        switch failure {
        case .notProcessed:
            hasRefused = true
            events.append(.notSent(tag: tag))
        case .unacceptable(let code):
            hasRefused = true
            let message = "the peer rejected the request as an HTTP/2 protocol error: error \(code)"
            events.append(.unacceptable(tag: tag, reason: message))
        case .reset(let code):
            let message = "the peer reset the stream with HTTP/2 error \(code)"
            events.append(.inDoubt(tag: tag, reason: message))
        }
    }

    /// Further GOAWAYs contain nothing new.
    private static var maxGoAways: Int { 2 }

    /// The peer accepts no more requests; HTTP/2 has already reported those it did not process.
    private mutating func goingAway(
        _ code: UInt32, _ debug: [UInt8], _ events: inout PoolEventQueue
    ) {
        drain()
        goAways += 1
        let reason = ResponseBody(debug).reason
        if isOnTrial, ReasonTable.refusal(goAway: reason, hadSuccess: false) != nil {
            return refuseTrial(.goAway(reason: reason))
        }
        guard code != 0 || !reason.isEmpty, goAways <= Self.maxGoAways else { return }
        let message = "the peer closed the connection with HTTP/2 error \(code)"
        let suffix = reason.isEmpty ? "" : " and reason \(reason)"
        report(ConnectionFailure(message + suffix), &events)
        if ReasonTable.refusal(goAway: reason, hadSuccess: hasAccepted) != nil {
            events.append(.credentialRefused(reason: reason, credential: dialer.version))
        }
    }

    /// APNs rejected the new credential; the keeper reverts to the current one.
    mutating func refuseTrial(_ refusal: RenewalRefusal) {
        trialRefusal = trialRefusal ?? refusal
        drain()
    }

    /// Accepts no more requests, and closes after the last response.
    mutating func drain() {
        guard phase.rawValue < Phase.draining.rawValue else { return }
        enter(.draining)
    }

    /// Handles everything overdue: a phase, a response, bytes left for the next turn.
    mutating func expire<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        if hasMoreToRead { receive(&kernel, &events) }
        let now = kernel.now
        tokenUse.resume(at: now)
        if let deadline = phaseDeadline, deadline <= now {
            return fail(ConnectionFailure(overdueMessage, .silence), &kernel, &events)
        }
        guard listen(now) else {
            let message = "no response to a PING within \(inSeconds(dialer.settings.pingTimeout))"
            return fail(ConnectionFailure(message, .silence), &kernel, &events)
        }
        let timeout = dialer.settings.requestTimeout
        while let entry = requests[requests.oldest], entry.sentAt + timeout <= now {
            guard entry.pull < pulls else {
                let message = "the socket accepted no data for \(inSeconds(timeout))"
                return fail(ConnectionFailure(message), &kernel, &events)
            }
            expireOldest(now, &events)
        }
        guard timeoutsInRow >= dialer.settings.timeoutsInRow, phase == .ready else { return }
        let message = "\(timeoutsInRow) requests in a row had no response"
        report(ConnectionFailure(message), &events)
        drain()
    }

    /// Sends a PING to a peer that has been silent for too long; false when an earlier one had no
    /// response.
    private mutating func listen(_ now: Instant) -> Bool {
        heartbeat.noticeSilence(now)
        if phase == .draining { return !(heartbeat.isInDoubt && heartbeat.isOverdue(now)) }
        guard phase == .ready else { return true }
        if heartbeat.isOverdue(now) { return false }
        if let number = heartbeat.pingWhenIdle(now) { http2.ping(number) }
        if suspicion <= now, let number = heartbeat.doubt(now) { http2.ping(number) }
        return true
    }

    /// Gives up the oldest request: the peer must prove with a PING response that it is alive.
    private mutating func expireOldest(_ now: Instant, _ events: inout PoolEventQueue) {
        let number = requests.oldest
        let failure = http2.cancel(tag: number)
        guard let tag = requests.close(number) else { return }
        let limit = inSeconds(dialer.settings.requestTimeout)
        if failure == .notProcessed {
            events.append(.notSent(tag: tag))
            guard phase == .ready else { return }
            let message = "HTTP/2: no flow-control window for a request body within \(limit)"
            report(ConnectionFailure(message), &events)
            return drain()
        }
        timeoutsInRow += 1
        events.append(.inDoubt(tag: tag, reason: "no response within \(limit)"))
        guard phase == .ready, let number = heartbeat.doubt(now) else { return }
        http2.ping(number)
    }

    private var overdueMessage: String {
        let connect = inSeconds(dialer.settings.connectTimeout)
        let handshake = inSeconds(dialer.settings.handshakeTimeout)
        return switch phase {
        case .connecting: "connect: no response within \(connect)"
        case .tunnelling:
            "the proxy \(dialer.endpoint.proxy?.address ?? ""): no response within \(handshake): "
                + "check that it accepts CONNECT requests"
        case .handshaking: "TLS: handshake not finished within \(handshake)"
        case .awaitingSettings: "HTTP/2: no SETTINGS frame within \(handshake)"
        default:
            "HTTP/2: no stream available for a request within"
                + " \(inSeconds(dialer.settings.requestTimeout))"
        }
    }
}
