internal import Delivery
internal import HTTP2

/// Applies the scenario's faults to one connection.
struct ConnectionFaults {
    private let service: SimulatorService
    private var connection: ConnectionRun
    private var states = ConnectionRun.States()
    /// The next scheduled change.
    private var nextChange: Instant?
    /// The final GOAWAY still to be sent, and when it is due.
    private var secondGoAway: (goAway: ScriptedGoAway, due: Instant)?
    private var closesAfterResponse = false
    /// A GOAWAY said that no request was or will be processed.
    private(set) var ignoresRequests = false
    /// How the connection must be cut, if at all.
    var cut: ConnectionCut?
    /// Bytes that are not HTTP/2 must be sent.
    var hasGarbage = false
    /// How the handshake fails, if at all.
    let tlsFault: TLSFault?

    init(service: SimulatorService, at moment: SimulatorMoment) {
        self.service = service
        let time = service.run.time(at: moment.now)
        connection = ConnectionRun(&service.run, at: time)
        tlsFault = connection.tlsFault(at: time)
        if service.run.refuses(at: time) || service.run.isHurried(at: time) { cut = .reset }
        states = connection.states(at: time)
        setNextChange(after: time == 0 ? -1 : time)
    }

    /// No faults will ever happen here.
    var isQuiet: Bool { connection.isQuiet && connection.generation == service.run.generation }
    /// Nothing is read or sent at the moment.
    var isSilent: Bool { states.isSilent }
    /// No further responses are sent at the moment.
    var isStill: Bool { cut != nil || states.isSilent || hasGarbage }
    /// The response to every push at the moment; nil when each gets its own.
    var prohibition: Judgement? {
        states.prohibition.map { Judgement(status: 403, reason: $0) }
    }
    /// The reading rate in bytes per second; nil for no limit.
    var readingRate: Int? { states.readingRate }
    /// The round-trip time.
    var roundTrip: Duration { .milliseconds(service.run.scenario.roundTrip) }
    /// When ``advance(to:on:)`` has something to do.
    var nextDeadline: Instant? { earlier(nextChange, secondGoAway?.due) }

    /// True when a GOAWAY was sent and no responses are outstanding.
    func isDone(openStreams: Int) -> Bool {
        closesAfterResponse && openStreams == 0 && secondGoAway == nil
    }

    /// Applies the faults that are due.
    mutating func advance(to moment: SimulatorMoment, on http: inout HTTP2Server) {
        follow(at: moment)
        if let due = nextChange, due <= moment.now {
            let time = service.run.time(at: moment.now)
            perform(connection.advance(to: time), on: &http, moment)
            change(to: connection.states(at: time), on: &http)
            setNextChange(after: time)
        }
        if let second = secondGoAway, second.due <= moment.now {
            secondGoAway = nil
            sendGoAway(second.goAway, on: &http)
        }
    }

    /// Counts a request, and applies the faults that it triggers.
    mutating func countRequest(on http: inout HTTP2Server, at moment: SimulatorMoment) {
        follow(at: moment)
        perform(connection.countRequest(), on: &http, moment)
        change(to: connection.states(at: service.run.time(at: moment.now)), on: &http)
    }

    /// Counts a rejection, and applies the faults that it triggers.
    mutating func countRefusal(on http: inout HTTP2Server, at moment: SimulatorMoment) {
        perform(connection.countRefusal(), on: &http, moment)
        change(to: connection.states(at: service.run.time(at: moment.now)), on: &http)
    }

    /// Joins the scenario that replaced the one in which the connection started.
    private mutating func follow(at moment: SimulatorMoment) {
        guard connection.generation != service.run.generation else { return }
        let time = service.run.time(at: moment.now)
        connection = ConnectionRun(&service.run, at: time)
        nextChange = moment.now
    }

    private mutating func setNextChange(after time: Int) {
        nextChange = connection.nextChange(after: time).map { service.run.moment($0) }
    }

    private mutating func change(to new: ConnectionRun.States, on http: inout HTTP2Server) {
        guard new != states else { return }
        states = new
        guard new.windowsAreClosed != http.withholdsWindow else { return }
        http.withholdsWindow = new.windowsAreClosed
        if !new.windowsAreClosed { http.restoreWindow() }
    }

    private mutating func perform(
        _ events: [ScriptedFault.Event], on http: inout HTTP2Server, _ moment: SimulatorMoment
    ) {
        for event in events {
            switch event {
            case .goAway(let goAway):
                if let pause = goAway.secondAfter {
                    http.goAway(lastStream: .max, code: goAway.code, debug: goAway.debug)
                    secondGoAway = (goAway, moment.now + .milliseconds(pause))
                } else {
                    sendGoAway(goAway, on: &http)
                }
            case .settings(let settings):
                if let limit = settings.streamLimit { http.changeStreamLimit(limit) }
                if let window = settings.streamWindow { http.changeStreamWindow(window) }
            case .cut(let kind): cut = kind
            case .garbage: hasGarbage = true
            }
        }
    }

    private mutating func sendGoAway(
        _ goAway: ScriptedGoAway, on http: inout HTTP2Server
    ) {
        http.goAway(
            lastStream: goAway.processesWhatCame ? nil : 0, code: goAway.code,
            debug: goAway.debug)
        ignoresRequests = !goAway.processesWhatCame
        closesAfterResponse = goAway.closes
    }
}
