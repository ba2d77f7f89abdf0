internal import HTTP2

/// Where the requests of one connection are judged and answered, at once or later.
struct SimulatorDesk: ~Copyable {
    private let service: SimulatorService
    private var judge: Judge
    private var request = PushRequest()
    private var delayed = DelayedAnswers()
    private var isTrusted = false
    private var identifiers: IdentifierSource
    /// The fields of an answer; kept so that none is made per answer.
    private var fields: [(String, [UInt8])] = [("apns-id", [])]
    private var acceptedFields: [(String, [UInt8])] = [("apns-id", []), ("apns-unique-id", [])]

    init(service: SimulatorService) {
        self.service = service
        judge = Judge(keys: service.keys)
        identifiers = IdentifierSource(seed: .random(in: 0 ... .max))
    }

    var nextDeadline: UInt64? { delayed.nextDeadline }

    /// The connection is over: what waits is counted as waiting no more.
    borrowing func leave() {
        service.counters.addOpenStreams(-delayed.count)
        service.counters.connectionClosed()
    }

    /// Answers everything that has been asked; false when the connection is to be cut.
    mutating func serve(_ http: inout HTTP2Server, at moment: SimulatorMoment) -> Bool {
        while let event = http.nextEvent() {
            switch event {
            case .request(let stream, let asked):
                guard answer(asked, stream, &http, moment) else { return false }
            case .reset(let stream, _):
                if delayed.remove(stream: stream) { service.counters.addOpenStreams(-1) }
            case .goAway: break
            }
        }
        return true
    }

    /// Answers what has waited long enough; false when the connection is to be cut.
    mutating func answerDue(at moment: SimulatorMoment, on http: inout HTTP2Server) -> Bool {
        while let answer = delayed.takeDue(at: moment.now) {
            service.counters.addOpenStreams(-1)
            guard let judgement = answer.judgement else {
                service.counters.countLost()
                return false
            }
            respond(judgement, answer.identifier, answer.stream, &http)
        }
        return true
    }

    private mutating func answer(
        _ asked: HTTP2ServerRequest, _ stream: Int32, _ http: inout HTTP2Server,
        _ moment: SimulatorMoment
    ) -> Bool {
        request.reset()
        for field in asked.fields { request.set(field.name, to: field.value) }
        request.body = asked.body
        request.bodyWasTooLong = asked.bodyWasTooLong
        var judgement = judge.judge(request, wallClock: moment.wallClock)
        let identifier = answeredIdentifier()
        if judgement.status == 200 {
            trust(&http)
            judgement = service.memory?.refusal(of: request.deviceToken) ?? judgement
        }
        if judgement.status == 200, service.behaviour.mayAnswer(request.deviceToken),
            let script = scripted()
        {
            let scripted = script.isLost ? nil : script.judgement(wallClock: moment.wallClock)
            note(asked, scripted, identifier, moment)
            return follow(script, identifier, stream, &http, moment)
        }
        note(asked, judgement, identifier, moment)
        respond(judgement, identifier, stream, &http)
        return true
    }

    /// Remembers a request and its answer, before the client has it.
    private func note(
        _ asked: HTTP2ServerRequest, _ judgement: Judgement?, _ identifier: [UInt8],
        _ moment: SimulatorMoment
    ) {
        service.memory?.note(
            JudgedRequest(
                arrivedAt: moment.wallClock, fields: asked.fields, body: asked.body,
                judgement: judgement, identifier: identifier),
            token: request.deviceToken)
    }

    /// After the first good request the client may open as many streams as it likes.
    private mutating func trust(_ http: inout HTTP2Server) {
        guard !isTrusted else { return }
        isTrusted = true
        if service.streamLimit != service.firstStreamLimit {
            http.changeStreamLimit(service.streamLimit)
        }
    }

    private func scripted() -> ScriptedAnswer? {
        let token = request.deviceToken
        var attempt = 1
        if service.behaviour.countsAttempts(of: token) {
            service.beginAnewIfTold()
            attempt = service.attempts.next(token: token, identifier: request.identifier)
        }
        return service.behaviour.answer(to: token, attempt: attempt)
    }

    private mutating func follow(
        _ script: ScriptedAnswer, _ identifier: [UInt8], _ stream: Int32,
        _ http: inout HTTP2Server, _ moment: SimulatorMoment
    ) -> Bool {
        let judgement = script.isLost ? nil : script.judgement(wallClock: moment.wallClock)
        if script.latency > 0 {
            delayed.add(
                DelayedAnswers.Answer(
                    deadline: moment.now + UInt64(script.latency) * 1_000_000, stream: stream,
                    identifier: identifier, judgement: judgement))
            service.counters.addOpenStreams(1)
            return true
        }
        guard let judgement else {
            service.counters.countLost()
            return false
        }
        respond(judgement, identifier, stream, &http)
        return true
    }

    /// The client's `apns-id`, or a new one when it sent none or no good one.
    private mutating func answeredIdentifier() -> [UInt8] {
        request.identifier.count == 36 ? request.identifier : identifiers.next()
    }

    private mutating func respond(
        _ judgement: Judgement, _ identifier: [UInt8], _ stream: Int32, _ http: inout HTTP2Server
    ) {
        do {
            if service.isDevelopment, judgement.status == 200 {
                acceptedFields[0].1 = identifier
                acceptedFields[1].1 = identifiers.next()
                try http.respond(stream: stream, status: 200, fields: acceptedFields, body: [])
            } else {
                fields[0].1 = identifier
                try http.respond(
                    stream: stream, status: judgement.status, fields: fields,
                    body: judgement.body)
            }
            service.counters.countAnswer(status: judgement.status)
        } catch {
            // The client has given the request up meanwhile: nobody waits for the answer.
        }
    }
}
