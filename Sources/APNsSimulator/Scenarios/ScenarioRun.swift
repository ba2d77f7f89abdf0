internal import Delivery
internal import Encoding

/// A running scenario: its clock, and its counters since it started.
///
/// The same pushes at the same times get the same responses.
struct ScenarioRun {
    /// What happens to one push.
    struct Decision {
        var outcome: ScriptedResponse.Outcome
        var judgement: Judgement
        var latency: Duration

        /// True when the client gets the response, or half of it.
        var isResponse: Bool { outcome == .response || outcome == .half }
    }

    let scenario: Scenario
    /// Identifies the run.
    let generation: Int
    /// When it started; nil before the first event.
    private var begun: Instant?
    private var attempts = AttemptCounts()
    /// How many pushes have matched each response.
    private var fitting: [Int]
    private var sampled = 0
    private var connections = 0
    /// When the connections of the last minute were opened.
    private var arrivals: [Int] = []
    /// True when some response depends on attempts.
    private let countsAttempts: Bool
    /// True when pushes that match no response need no lookup.
    private let isPlain: Bool
    private let chance: Chance

    init(_ scenario: Scenario, generation: Int = 0, begun: Instant? = nil) {
        self.scenario = scenario
        self.generation = generation
        self.begun = begun
        fitting = [Int](repeating: 0, count: scenario.responses.count)
        countsAttempts = scenario.responses.contains { $0.attempts != nil }
        isPlain = scenario.latency.isZero
        chance = Chance(seed: scenario.seed)
    }

    /// Milliseconds since the start; the first call starts it.
    mutating func time(at now: Instant) -> Int {
        guard let begun else {
            self.begun = now
            return 0
        }
        return Int(max(.zero, now - begun).wholeMilliseconds)
    }

    /// When a time of the scenario is.
    func moment(_ time: Int) -> Instant { (begun ?? .distantPast) + .milliseconds(time) }

    /// The number of a new connection, from 1.
    mutating func nextConnection() -> Int {
        connections += 1
        return connections
    }

    /// What happens to a push that the judge accepts; nil when it is accepted immediately.
    mutating func decision(
        about request: borrowing PushRequest, at moment: SimulatorMoment
    ) -> Decision? {
        let token = request.deviceToken
        if scenario.mayRespond(token), let response = response(to: token, request, moment.now) {
            return Decision(
                outcome: response.outcome,
                judgement: response.judgement(wallClock: moment.wallClock),
                latency: sample(response.latency ?? scenario.latency))
        }
        if isPlain { return nil }
        return Decision(outcome: .response, judgement: .accepted, latency: sample(scenario.latency))
    }

    /// What happens to a broadcast that the judge accepts; nil when no response matches it.
    mutating func decision(
        aboutBroadcast request: borrowing PushRequest, at moment: SimulatorMoment
    ) -> Decision? {
        guard let response = response(toBroadcast: request, moment.now) else { return nil }
        return Decision(
            outcome: response.outcome, judgement: response.judgement(wallClock: moment.wallClock),
            latency: sample(response.latency ?? scenario.latency))
    }

    /// The latency of the response to a push that the judge rejects.
    mutating func latencyOfRefusal() -> Duration { isPlain ? .zero : sample(scenario.latency) }

    private mutating func response(
        to token: ArraySlice<UInt8>, _ request: borrowing PushRequest, _ now: Instant
    ) -> ScriptedResponse? {
        let time = time(at: now)
        var attempt: Int?
        for index in scenario.responses.indices {
            let response = scenario.responses[index]
            guard response.fits(token: token), response.schedule.contains(time),
                request.isFor(response.topic)
            else { continue }
            if let limit = response.attempts {
                let number =
                    attempt ?? attempts.next(token: token, identifier: request.identifier)
                attempt = number
                guard number <= limit else { continue }
            }
            if isChosen(response, index) { return response }
        }
        return nil
    }

    private mutating func response(
        toBroadcast request: borrowing PushRequest, _ now: Instant
    ) -> ScriptedResponse? {
        let time = time(at: now)
        let channel = [UInt8](request.channelID)
        var attempt: Int?
        for index in scenario.responses.indices {
            let response = scenario.responses[index]
            guard response.fits(channel: channel), response.schedule.contains(time),
                response.topic.map({ $0.elementsEqual(request.pathApp) }) ?? true
            else { continue }
            if let limit = response.attempts {
                let number =
                    attempt ?? attempts.next(token: channel[...], identifier: request.requestID)
                attempt = number
                guard number <= limit else { continue }
            }
            if isChosen(response, index) { return response }
        }
        return nil
    }

    /// Counts a push that matches a response, and decides whether it is selected.
    private mutating func isChosen(_ response: ScriptedResponse, _ index: Int) -> Bool {
        fitting[index] += 1
        if let interval = response.interval, fitting[index] % interval != 0 { return false }
        guard let share = response.share else { return true }
        return chance.fraction(row: index, number: fitting[index]) < share
    }

    private mutating func sample(_ latency: Latency) -> Duration {
        if case .fixed(let milliseconds) = latency { return .milliseconds(milliseconds) }
        sampled += 1
        return latency.duration(at: chance.fraction(row: -1, number: sampled))
    }

    /// Whether a fault applies to a connection.
    func concerns(_ index: Int, connection: Int) -> Bool {
        let fault = scenario.faults[index]
        if let number = fault.connection, number != connection { return false }
        guard let share = fault.share else { return true }
        return chance.fraction(row: 1000 + index, number: connection) < share
    }

    /// Whether new connections are refused at a time of the scenario.
    func refuses(at time: Int) -> Bool {
        scenario.faults.contains { fault in
            guard case .state(.refusal) = fault.effect, case .time(let schedule) = fault.moment
            else { return false }
            return schedule.contains(time)
        }
    }

    /// Whether a new connection exceeds the limit per minute; otherwise it is counted.
    mutating func isHurried(at time: Int) -> Bool {
        guard let limit = scenario.settings.connectionsPerMinute else { return false }
        arrivals.removeAll { $0 <= time - 60_000 }
        guard arrivals.count < limit else { return true }
        arrivals.append(time)
        return false
    }

    /// The next time at which connections start or stop being refused.
    func nextRefusalChange(after time: Int) -> Int? {
        scenario.faults.compactMap { fault in
            guard case .state(.refusal) = fault.effect, case .time(let schedule) = fault.moment
            else { return nil }
            return schedule.nextChange(after: time)
        }.min()
    }
}

/// Repeatable randomness: the same seed, row and number always yield the same result.
struct Chance: Equatable, Sendable {
    let seed: UInt64

    /// A number from 0 up to but not including 1.
    func fraction(row: Int, number: Int) -> Double {
        var mixed = seed &+ UInt64(truncatingIfNeeded: row) &* 0xD1B5_4A32_D192_ED03
        mixed &+= UInt64(truncatingIfNeeded: number &+ 1) &* SeededGenerator.step
        return Double(SeededGenerator.mix(mixed) >> 11) / Double(UInt64(1) << 53)
    }
}
