import FoundationEssentials
import Testing

@testable import APNsSimulator

@Suite struct `A scenario file` {
    private func mistake(_ text: String) throws -> String {
        let error = #expect(throws: SimulatorError.self) {
            _ = try Scenario.parse([UInt8](text.utf8), file: "s.yaml")
        }
        return try #require(error).description
    }

    @Test(arguments: [
        ("fault: []\nlatency: 1s", "s.yaml:1:1: unknown key 'fault'; did you mean 'faults'?"),
        ("answers: [{shares: 1%}]", "s.yaml:1:12: unknown key 'shares'; did you mean 'share'?"),
        ("faults: [{every: 5, goawy: {}}]", "s.yaml:1:21: unknown key 'goawy'; did you mean"),
        ("faults: [{every: 5}]", "s.yaml:1:10: a fault without an effect"),
        ("faults: [{goaway: {}}]", "s.yaml:1:10: 'goaway' has no trigger"),
        ("faults: [{at: 1s, cut: off}]", "s.yaml:1:24: 'cut' cannot be 'off'; write one of end"),
        ("faults: [{at: 1s, silence: true}]", "s.yaml:1:15: 'at' has no effect with 'silence'"),
        ("faults: [{share: 1, refuse: true}]", "s.yaml:1:18: 'share' has no effect with"),
        ("faults: [{at: 1s, cut: end, garbage: true}]", "s.yaml:1:38: 'cut' and 'garbage' in one"),
        ("faults: [{at: 1s, every: 5, cut: end}]", "s.yaml:1:26: 'at' and 'every' in one fault"),
        ("faults: [{tls: expird}]", "s.yaml:1:16: 'tls' cannot be 'expird'; did you mean"),
        ("faults: {}", "s.yaml:1:9: missing list of faults"),
        ("faults: [{at: 1s, goaway: {code: OOPS}}]", "s.yaml:1:34: 'code' cannot be 'OOPS'"),
        ("answers: [{share: 120%}]", "s.yaml:1:19: 'share' is not a share; write a"),
        ("answers: [{from: 5s, until: 5s}]", "s.yaml:1:29: 'until' must be after 'from'"),
        ("answers: [{from: 5s, period: 4s}]", "s.yaml:1:30: 'period' is shorter than"),
        ("answers: [{every: 2, reset: STOP}]", "s.yaml:1:29: 'reset' cannot be 'STOP'"),
        ("answers: [{every: 2, silence: true, status: 410}]", "s.yaml:1:45: a request with"),
        ("answers: [{every: 2, reason: X, body: x, status: 400}]", "s.yaml:1:39: 'body' and"),
        ("latency: {p50: 2s, p40: 3s}", "s.yaml:1:20: the percentiles of 'latency' decrease"),
        ("latency: {p101: 2s}", "s.yaml:1:11: unknown key 'p101'"),
        ("latency: {min: 2s}", "s.yaml:1:10: the 'max' of 'latency' is missing"),
        ("rtt: 3 seconds", "s.yaml:1:6: 'rtt' is not a duration; write a duration such as 250ms"),
        ("faults: [{forbid: \"\"}]", "s.yaml:1:19: 'forbid' must be a word; write a word such as"),
        ("faults: [{at: 1s, forbid: X}]", "s.yaml:1:15: 'at' has no effect with 'forbid'"),
        ("settings: {connections_per_minute: 0}", "s.yaml:1:36: 'connections_per_minute' is no"),
        ("settings: {payload_limit: 0}", "s.yaml:1:27: 'payload_limit' is not a valid number"),
        ("settings: {idle_timeout: 9}", "s.yaml:1:26: 'idle_timeout' is not a duration; write"),
        ("settings: {broadcast: maybe}", "s.yaml:1:23: 'broadcast' must be true or false"),
        ("settings: {stream_limit: many}", "s.yaml:1:26: 'stream_limit' is not a valid number"),
        ("summary: nothing", "s.yaml:1:1: missing a list of answers or faults"),
        ("", "s.yaml:1:1: "),
    ])
    func `is rejected with the position of a mistake and what to write`(
        text: String, message: String
    ) throws {
        let message = try mistake(text)
        #expect(message.hasPrefix(message), "\(message)")
    }

    @Test(arguments: ScenarioLibrary.names)
    func `is shipped complete, with a line of description`(name: String) throws {
        let scenario = try Scenario.find(name)
        #expect(!scenario.summary.isEmpty && scenario.summary.hasSuffix("."))
    }

    @Test func `is shipped under the name of its file, without exception`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/APNsSimulator/Scenarios/Library")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.sorted() == ScenarioLibrary.names.map { $0 + ".yaml" }.sorted())
        #expect(ScenarioLibrary.names == ScenarioLibrary.names.sorted())
        #expect(try ScenarioLibrary.entries().count == ScenarioLibrary.names.count)
    }

    @Test func `that does not exist is reported with a similar name`() {
        let error = #expect(throws: SimulatorError.self) { _ = try Scenario.find("goawai") }
        #expect(error?.code == .scenario)
        #expect(error?.description.contains("did you mean 'goaway'?") == true)
        #expect(error?.description.contains("--list-scenarios") == true)
    }

    @Test func `takes precedence over the built-in answers, or replaces them`() throws {
        let text = "answers: [{topic: a.b, status: 503}]\n"
        let with = try Scenario.parse([UInt8](text.utf8), file: "s.yaml")
        #expect(with.responses.count == Scenario.builtIn.responses.count + 1)
        let alone = try Scenario.parse([UInt8](("built_in: false\n" + text).utf8), file: "s.yaml")
        #expect(alone.responses.count == 1)
    }
}
