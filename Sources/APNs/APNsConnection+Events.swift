internal import EventLoop
internal import HTTP2

extension APNsConnection {
    /// Handles what HTTP/2 found in the bytes of the peer.
    mutating func handleEvents(_ now: UInt64, _ events: inout EventQueue) {
        while let event = http2.nextEvent() {
            switch event {
            case .settings:
                guard phase == .awaitingSettings else { continue }
                enter(.ready)
                readyAt = now
                events.append(.connected(address))
            case .response(let number, let response):
                answered(number, response, &events)
            case .failed(let number, let failure):
                failed(number, failure, &events)
            case .goAway(_, let code, let debug):
                goingAway(code, debug, &events)
            case .requestSent, .pong:
                continue
            }
        }
    }

    private mutating func answered(
        _ number: Int, _ response: HTTP2Response, _ events: inout EventQueue
    ) {
        guard let tag = requests.close(number) else { return }
        timeoutsInRow = 0
        let answer = Answer(response)
        events.append(.answered(tag: tag, answer))
        if answer.status == 200 {
            hasSucceeded = true
        } else if ReasonTable.row(status: answer.status, reason: answer.reason).replacesConnection {
            drain()
        }
    }

    private mutating func failed(
        _ number: Int, _ failure: HTTP2StreamFailure, _ events: inout EventQueue
    ) {
        guard let tag = requests.close(number) else { return }
        timeoutsInRow = 0
        switch failure {
        case .notProcessed:
            events.append(.notSent(tag: tag))
        case .reset(let code):
            let words = "the peer reset the stream with HTTP/2 error \(code)"
            events.append(.inDoubt(tag: tag, reason: words))
        }
    }

    /// The peer takes no more requests: what it did not process was reported by HTTP/2 already.
    private mutating func goingAway(
        _ code: UInt32, _ debug: [UInt8], _ events: inout EventQueue
    ) {
        drain()
        let reason = AnswerBody(debug).reason
        guard code != 0 || !reason.isEmpty else { return }
        let words = "the peer went away with HTTP/2 error \(code)"
        let suffix = reason.isEmpty ? "" : " and reason \(reason)"
        report(ConnectionFailure(words + suffix), &events)
        if ReasonTable.refusesCredential(reason, hadSuccess: hasSucceeded) {
            events.append(.credentialRefused(reason: reason))
        }
    }

    /// Takes no more requests, and ends after the last answer.
    mutating func drain() {
        guard phase.rawValue < Phase.draining.rawValue else { return }
        enter(.draining)
    }

    /// Handles what is overdue: a phase, an answer, bytes that were left for the next turn.
    mutating func expire<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout EventQueue
    ) {
        if hasMoreToRead { receive(&kernel, &events) }
        let now = kernel.now
        if let deadline = phaseDeadline, deadline <= now {
            return fail(ConnectionFailure(overdueWords, .silence), &kernel, &events)
        }
        while let entry = requests[requests.oldest], entry.deadline <= now {
            guard entry.pull < pulls else {
                let limit = inSeconds(dialer.settings.requestTimeout)
                let failure = ConnectionFailure("the socket took nothing for \(limit)")
                return fail(failure, &kernel, &events)
            }
            expireOldest(&events)
        }
        guard timeoutsInRow >= dialer.settings.timeoutsInRow, phase == .ready else { return }
        let words = "\(timeoutsInRow) requests in a row had no answer"
        report(ConnectionFailure(words), &events)
        drain()
    }

    /// Gives up the oldest request.
    private mutating func expireOldest(_ events: inout EventQueue) {
        let number = requests.oldest
        http2.cancel(tag: number)
        guard let tag = requests.close(number) else { return }
        timeoutsInRow += 1
        let words = "no answer within \(inSeconds(dialer.settings.requestTimeout))"
        events.append(.inDoubt(tag: tag, reason: words))
    }

    private var overdueWords: String {
        let connect = inSeconds(dialer.settings.connectTimeout)
        let handshake = inSeconds(dialer.settings.handshakeTimeout)
        return switch phase {
        case .connecting: "connect: no answer within \(connect)"
        case .handshaking: "TLS: the handshake did not end within \(handshake)"
        case .awaitingSettings: "HTTP/2: no SETTINGS within \(handshake)"
        default: "HTTP/2: no room for a request within \(inSeconds(dialer.settings.requestTimeout))"
        }
    }
}
