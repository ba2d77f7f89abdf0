internal import EventLoop
internal import JSON
internal import Spelling

/// The scenario that a simulator follows, as `GET /scenario` shows it.
struct ScenarioState: Equatable, Sendable {
    /// Its name or file; empty for one that came as YAML in a request.
    var name: String
    var summary: String
    /// Milliseconds since it started.
    var clock: Int
    var responses: Int
    var faults: Int

    func write(to writer: inout JSONWriter) {
        writer.member("name", name.isEmpty ? nil : name)
        writer.member("summary", summary)
        writer.member("clock_ms", Int64(clock))
        writer.member("answers", Int64(responses))
        writer.member("faults", Int64(faults))
    }
}

extension SimulatorLoop {
    /// The scenario that it follows, and its clock.
    func scenarioState<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) -> ScenarioState {
        service.scenarioState { $0.time(at: kernel.now) }
    }
}

extension SimulatorService {
    /// The scenario that it follows; `time` returns the clock of a run.
    func scenarioState(_ time: (inout ScenarioRun) -> Int) -> ScenarioState {
        // A copy: asking does not start the clock.
        var copy = run
        let scenario = run.scenario
        return ScenarioState(
            name: scenario.name, summary: scenario.summary, clock: time(&copy),
            responses: scenario.responses.count, faults: scenario.faults.count)
    }
}

extension Scenario {
    /// The scenario in the body of a request: YAML, or `{"name": "bad-day"}` for a built-in one.
    static func parse(body: [UInt8]) throws(SimulatorError) -> Scenario {
        guard let name = name(in: body) else { return try parse(body, file: "body") }
        guard let text = ScenarioLibrary.text(of: name) else {
            let near = Suggestion.nearest(to: name, among: ScenarioLibrary.names)
            throw SimulatorError(
                .scenario,
                "unknown scenario '\(name)'; "
                    + (near.map { "did you mean '\($0)'?" }
                        ?? "'apns-bridge simulator --list-scenarios' shows all"))
        }
        return try parse(text, file: name).named(name)
    }

    /// The name, if the body is a JSON object with this one member.
    private static func name(in body: [UInt8]) -> String? {
        var tape = JSONTape()
        do throws(JSONError) { try tape.read(body) } catch { return nil }
        guard tape[0].kind == .object else { return nil }
        let (first, end) = tape.children(of: 0)
        guard first < end, tape.text(of: first, in: body) == "name" else { return nil }
        let value = tape.next(after: first)
        guard tape.next(after: value) == end else { return nil }
        return tape.text(of: value, in: body)
    }
}
