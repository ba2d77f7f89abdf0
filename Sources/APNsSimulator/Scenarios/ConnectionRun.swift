/// The effects of a scenario on one connection.
struct ConnectionRun {
    /// All lasting effects at the moment.
    struct States: Equatable {
        var isSilent = false
        var windowsAreClosed = false
        /// The reading rate in bytes per second; nil for no limit.
        var readingRate: Int?
        /// The reason with which every push is rejected with 403.
        var prohibition: String?
    }

    /// The number of the connection since the scenario started, from 1.
    let number: Int
    /// The run of a scenario that it belongs to.
    let generation: Int
    private var requests = 0
    private var refusals = 0
    /// The scenario's time up to which all events have happened.
    private var seen: Int
    /// The faults that apply to this connection.
    private let faults: [ScriptedFault]

    /// Joins a run at a time of the scenario.
    init(_ run: inout ScenarioRun, at time: Int) {
        let number = run.nextConnection()
        self.number = number
        generation = run.generation
        seen = time - (time == 0 ? 1 : 0)
        faults = run.scenario.faults.indices
            .filter { run.concerns($0, connection: number) }
            .map { run.scenario.faults[$0] }
    }

    /// No faults will ever happen.
    var isQuiet: Bool { faults.isEmpty }

    /// Counts a request, and returns the events that it triggers.
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

    /// Counts a rejection, and returns the events that it triggers.
    mutating func countRefusal() -> [ScriptedFault.Event] {
        refusals += 1
        return events { $0 == .refusals(refusals) ? 1 : 0 }
    }

    /// The events that are due by a time.
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
            // An event that has recurred several times since the last check happens once.
            for _ in 0..<min(count(fault.moment), 1) { due.append(event) }
        }
        return due
    }

    /// The lasting effects at a time of the scenario.
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

    /// The time of the next scheduled change.
    func nextChange(after time: Int) -> Int? {
        faults.compactMap { fault in
            guard case .time(let schedule) = fault.moment else { return nil }
            return schedule.nextChange(after: time)
        }.min()
    }
}
