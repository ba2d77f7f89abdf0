/// What a scenario does to one connection.
struct ConnectionRun {
    /// Everything that lasts, as it is now.
    struct States: Equatable {
        var isSilent = false
        var windowsAreClosed = false
        /// Bytes a second; nil for as many as come.
        var readingRate: Int?
        /// Every push is refused with 403 and this reason.
        var prohibition: String?
    }

    /// The number of the connection since the scenario began, from 1.
    let number: Int
    /// Which performance of a scenario it belongs to.
    let generation: Int
    private var requests = 0
    private var refusals = 0
    /// Up to which moment of the scenario's time everything has happened.
    private var seen: Int
    /// The faults that concern this connection.
    private let faults: [ScriptedFault]

    /// Joins a performance at a moment of its time.
    init(_ run: inout ScenarioRun, at time: Int) {
        let number = run.nextConnection()
        self.number = number
        generation = run.generation
        seen = time - (time == 0 ? 1 : 0)
        faults = run.scenario.faults.indices
            .filter { run.concerns($0, connection: number) }
            .map { run.scenario.faults[$0] }
    }

    /// Nothing will ever happen to it.
    var isQuiet: Bool { faults.isEmpty }

    /// Counts a request, and answers what happens with it.
    mutating func countRequest() -> [ScriptedFault.Event] {
        requests += 1
        return events { moment in
            switch moment {
            case .request(let number): number == requests ? 1 : 0
            case .everyRequest(let interval): requests % interval == 0 ? 1 : 0
            case .time, .refusals: 0
            }
        }
    }

    /// Counts an answer that refuses a push, and says what happens then.
    mutating func countRefusal() -> [ScriptedFault.Event] {
        refusals += 1
        return events { $0 == .refusals(refusals) ? 1 : 0 }
    }

    /// What happens because the time has come.
    mutating func advance(to time: Int) -> [ScriptedFault.Event] {
        guard time > seen else { return [] }
        let earlier = seen
        seen = time
        return events { moment in
            guard case .time(let schedule) = moment else { return 0 }
            return schedule.beginnings(after: earlier, upTo: time)
        }
    }

    private func events(_ count: (ScriptedFault.Moment) -> Int) -> [ScriptedFault.Event] {
        var due: [ScriptedFault.Event] = []
        for fault in faults {
            guard case .event(let event) = fault.effect else { continue }
            // What comes again and again is not made up for when nobody looked for long.
            for _ in 0..<min(count(fault.moment), 1) { due.append(event) }
        }
        return due
    }

    /// What lasts at a moment of the scenario's time.
    func states(at time: Int) -> States {
        var states = States()
        for fault in faults where lasts(fault.moment, time) {
            switch fault.effect {
            case .state(.silence): states.isSilent = true
            case .state(.closedWindows): states.windowsAreClosed = true
            case .state(.slowReading(let rate)): states.readingRate = rate
            case .state(.forbidding(let reason)): states.prohibition = reason
            case .state(.refusal), .state(.tls), .event: break
            }
        }
        return states
    }

    /// How its handshake fails; nil when it does not.
    func tlsFault(at time: Int) -> TLSFault? {
        for fault in faults where lasts(fault.moment, time) {
            if case .state(.tls(let kind)) = fault.effect { return kind }
        }
        return nil
    }

    private func lasts(_ moment: ScriptedFault.Moment, _ time: Int) -> Bool {
        switch moment {
        case .time(let schedule): schedule.contains(time)
        case .request(let number): requests >= number
        case .refusals(let number): refusals >= number
        case .everyRequest: false
        }
    }

    /// When something begins or ends by itself next.
    func nextChange(after time: Int) -> Int? {
        faults.compactMap { fault in
            guard case .time(let schedule) = fault.moment else { return nil }
            return schedule.nextChange(after: time)
        }.min()
    }
}
