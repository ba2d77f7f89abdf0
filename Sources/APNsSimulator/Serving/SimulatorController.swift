internal import Delivery
internal import HTTP2
internal import TLS

/// Judges the requests of one connection and responds, immediately or later.
struct SimulatorController: ~Copyable {
    let service: SimulatorService
    var judge: Judge
    var request = PushRequest()
    private var delayed = DelayedResponses()
    private var isTrusted = false
    private var identifiers: IdentifierSource
    /// The fields of a response; reused for all responses.
    private var fields: [(String, [UInt8])] = [("apns-id", [])]
    private var acceptedFields: [(String, [UInt8])] = [("apns-id", []), ("apns-unique-id", [])]
    /// What it was tied to by its first accepted push.
    private var tied: TiedTopics?
    /// The faults of the connection.
    var faults: ConnectionFaults

    init(service: SimulatorService, at moment: SimulatorMoment) {
        self.service = service
        judge = Judge(
            keys: service.keys, environment: service.environment,
            channels: service.channels)
        identifiers = service.nextIdentifiers()
        faults = ConnectionFaults(service: service, at: moment)
    }

    /// When something is due without the client.
    var nextDeadline: Instant? { earlier(delayed.nextDeadline, faults.nextDeadline) }

    /// True while delayed responses are outstanding.
    var isOwing: Bool { delayed.count > 0 }

    /// The connection is over: outstanding responses no longer count as waiting.
    borrowing func leave() {
        service.counters.addOpenStreams(-delayed.count)
        service.counters.connectionClosed()
    }

    /// The client has presented a certificate: all its streams are allowed immediately.
    mutating func meet(_ certificate: CertificateDescription, on http: inout HTTP2Server) {
        judge.certificate = CertificateCredential(certificate, environment: service.environment)
        trust(&http)
    }

    /// Responds to all received requests, as far as the connection's faults allow.
    mutating func serve(_ http: inout HTTP2Server, at moment: SimulatorMoment) {
        while !faults.isStill, let event = http.nextEvent() {
            switch event {
            case .request(let stream):
                request.take(from: &http)
                respond(stream, &http, moment)
            case .reset(let stream, _):
                if delayed.remove(stream: stream) { service.counters.addOpenStreams(-1) }
            case .goAway: break
            }
        }
    }

    /// Does what is due: faults of the connection, and delayed responses.
    mutating func advance(to moment: SimulatorMoment, on http: inout HTTP2Server) {
        faults.advance(to: moment, on: &http)
        while !faults.isStill, let response = delayed.takeDue(at: moment.now) {
            service.counters.addOpenStreams(-1)
            give(
                response.outcome, response.judgement, response.identifier, response.stream, &http,
                moment)
        }
    }

    private mutating func respond(
        _ stream: Int32, _ http: inout HTTP2Server, _ moment: SimulatorMoment
    ) {
        service.beginAnewIfAsked()
        if !faults.isQuiet {
            faults.countRequest(on: &http, at: moment)
            if faults.isStill || faults.ignoresRequests { return }
        }
        if request.kind != .push { return respondToBroadcast(stream, &http, moment) }
        var judgement = judge.judge(request, wallClock: moment.wallClock)
        let identifier = responseIdentifier()
        if judgement.status == 200, let prohibition = faults.prohibition {
            judgement = prohibition
        }
        if judgement.status == 200 {
            trust(&http)
            judgement = service.memory?.refusal(of: request.deviceToken) ?? judgement
            if let response = tied?.refusal(of: request, in: service.run) {
                judgement = response.judgement(wallClock: moment.wallClock)
            }
        }
        guard let decision = decision(judgement, moment) else {
            if judgement.status == 200 { tie(moment) }
            note(judgement, identifier, moment)
            return give(.response, judgement, identifier, stream, &http, moment)
        }
        if decision.isResponse, decision.judgement.status == 200 { tie(moment) }
        note(decision.isResponse ? decision.judgement : nil, identifier, moment)
        schedule(decision, identifier, stream, &http, moment)
    }

    /// A push was accepted: the first ties the connection.
    private mutating func tie(_ moment: SimulatorMoment) {
        guard tied == nil else { return }
        tied = TiedTopics(service.run, at: service.run.time(at: moment.now))
    }

    /// How the scenario changes a response; nil when it is sent immediately and unchanged.
    private mutating func decision(
        _ judgement: Judgement, _ moment: SimulatorMoment
    ) -> ScenarioRun.Decision? {
        if judgement.status == 200 { return service.run.decision(about: request, at: moment) }
        let latency = service.run.latencyOfRefusal()
        guard latency > .zero else { return nil }
        return ScenarioRun.Decision(outcome: .response, judgement: judgement, latency: latency)
    }

    /// Records a request and its response, before the client receives it.
    private func note(
        _ judgement: Judgement?, _ identifier: [UInt8], _ moment: SimulatorMoment
    ) {
        guard let memory = service.memory else { return }
        var judged = JudgedRequest(
            arrivedAt: moment.wallClock, fields: request.asked.fields, body: request.body,
            judgement: judgement, identifier: identifier,
            certificateTopic: judge.certificate?.defaultTopic)
        memory.note(&judged, token: request.deviceToken)
        if judge.pushType == .liveactivity, judgement?.status == 200 {
            memory.noteActivity(judged, of: request.deviceToken)
        }
    }

    /// After its first valid request, the client may open streams up to the usual limit.
    mutating func trust(_ http: inout HTTP2Server) {
        guard !isTrusted else { return }
        isTrusted = true
        let settings = service.run.scenario.settings
        let limit = settings.streamLimit ?? service.streamLimit
        if limit != settings.firstStreamLimit ?? service.firstStreamLimit {
            http.changeStreamLimit(limit)
        }
    }

    /// Delays a response until it is due, or sends it immediately.
    mutating func schedule(
        _ decision: ScenarioRun.Decision, _ identifier: [UInt8], _ stream: Int32,
        _ http: inout HTTP2Server, _ moment: SimulatorMoment
    ) {
        guard decision.latency > .zero else {
            return give(decision.outcome, decision.judgement, identifier, stream, &http, moment)
        }
        delayed.add(
            DelayedResponses.Response(
                deadline: moment.now + decision.latency, stream: stream, identifier: identifier,
                outcome: decision.outcome, judgement: decision.judgement))
        service.counters.addOpenStreams(1)
    }

    /// The client's `apns-id`, or a new one when it sent none or an invalid one.
    private mutating func responseIdentifier() -> [UInt8] {
        request.identifier.count == 36 ? [UInt8](request.identifier) : newIdentifier()
    }

    /// A new identifier for a client that sent none.
    mutating func newIdentifier() -> [UInt8] { identifiers.next() }

    /// Applies the decided outcome to a request.
    private mutating func give(
        _ outcome: ScriptedResponse.Outcome, _ judgement: Judgement, _ identifier: [UInt8],
        _ stream: Int32, _ http: inout HTTP2Server, _ moment: SimulatorMoment
    ) {
        switch outcome {
        case .response:
            respond(judgement, identifier, stream, &http)
            guard judgement.status != 200, judgement.status != 410, !faults.isQuiet else { return }
            faults.countRefusal(on: &http, at: moment)
        case .half: respond(judgement, identifier, stream, &http, isHalf: true)
        case .silence: service.counters.countLost()
        case .reset(let code):
            service.counters.countLost()
            http.reset(stream: stream, code: code)
        case .cut(let cut):
            service.counters.countLost()
            faults.cut = cut
        }
    }

    /// The header field with the identifier of a request.
    private static func name(of judgement: Judgement) -> String {
        judgement.isAboutBroadcasts ? "apns-request-id" : "apns-id"
    }

    /// In production only an accepted broadcast has an identifier for the Push Notifications
    /// Console. A response with a body is about channels.
    private func hasUniqueID(_ judgement: Judgement) -> Bool {
        judgement.isAboutBroadcasts
            ? judgement.body.isEmpty : service.environment == .development
    }

    private mutating func respond(
        _ judgement: Judgement, _ identifier: [UInt8], _ stream: Int32, _ http: inout HTTP2Server,
        isHalf: Bool = false
    ) {
        do {
            let isUnfinished = judgement.status >= 400 && http.isUnfinished(stream: stream)
            if judgement.status == 200, hasUniqueID(judgement) {
                acceptedFields[0] = (Self.name(of: judgement), identifier)
                acceptedFields[1].1 = identifiers.next()
                try http.respond(
                    stream: stream, status: 200, fields: acceptedFields, body: [], isHalf: isHalf)
            } else {
                fields[0] = (Self.name(of: judgement), identifier)
                fields.removeSubrange(1...)
                if judgement.hasJSON {
                    fields.append(("content-type", [UInt8]("application/json".utf8)))
                }
                if let channel = judgement.channelID {
                    fields.append(("apns-channel-id", channel))
                }
                if let seconds = judgement.retryAfter {
                    fields.append(("retry-after", [UInt8](String(seconds).utf8)))
                }
                try http.respond(
                    stream: stream, status: judgement.status, fields: fields,
                    body: judgement.body, isHalf: isHalf)
            }
            // A client whose request is rejected early need not send the rest of the body (RFC
            // 9113, 8.1).
            if isUnfinished, !isHalf { http.reset(stream: stream, code: 0) }
            service.counters.countResponse(status: judgement.status)
        } catch {
            // The client has cancelled the request meanwhile.
        }
    }
}

/// The earlier of two optional moments.
func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one else { return other }
    return min(one, other ?? one)
}
