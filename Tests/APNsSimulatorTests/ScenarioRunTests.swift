import Delivery
import Testing

@testable import APNsSimulator

@Suite struct `A running scenario` {
    private func request(_ prefix: String = "", topic: String = "com.example.app") -> PushRequest {
        var request = PushRequest()
        let token = prefix + String(repeating: "7", count: 64 - prefix.count)
        request.set([UInt8](":path".utf8), to: [UInt8]("/3/device/\(token)".utf8))
        request.set([UInt8]("apns-topic".utf8), to: [UInt8](topic.utf8))
        request.set([UInt8]("apns-id".utf8), to: [UInt8](JudgeFixture.identifier.utf8))
        return request
    }

    private func moment(_ milliseconds: Int) -> SimulatorMoment {
        SimulatorMoment(now: .distantPast + .milliseconds(5000 + milliseconds), wallClock: 0)
    }

    /// The statuses of pushes at these times of a scenario, which has started before.
    private func statuses(
        _ scenario: Scenario, at times: [Int], _ requests: PushRequest...
    ) -> [Int] {
        var run = ScenarioRun(scenario, begun: moment(0).now)
        return times.flatMap { time in
            requests.map { run.decision(about: $0, at: moment(time))?.judgement.status ?? 200 }
        }
    }

    private func parse(_ text: String) throws -> Scenario {
        try Scenario.parse([UInt8](text.utf8), file: "test.yaml")
    }

    @Test func `recognizes quickly that a device token has no script`() {
        #expect(!Scenario.builtIn.mayRespond(request().deviceToken))
        #expect(!Scenario.acceptsAll.mayRespond(request("dead").deviceToken))
    }

    @Test func `finds a script whatever the case of the digits`() {
        for text in ["dead", "DEAD", "dEaD"] {
            #expect(statuses(.builtIn, at: [0], request(text)) == [410])
        }
    }

    @Test func `lets a script of odd length fit its first half byte`() {
        let scenario = Scenario(responses: [ScriptedResponse(tokenPrefix: "abc", status: 500)])
        #expect(scenario.mayRespond(request("abcf").deviceToken))
        let found = statuses(scenario, at: [0], request("abc0"), request("abcf"), request("abd0"))
        #expect(found == [500, 500, 200])
    }

    @Test func `continues with the next script after the first attempts`() {
        let scenario = Scenario(responses: [
            ScriptedResponse(tokenPrefix: "aa", status: 503, attempts: 2),
            ScriptedResponse(tokenPrefix: "", status: 410),
        ])
        #expect(statuses(scenario, at: [0, 0, 0], request("aa")) == [503, 503, 410])
    }

    @Test func `responds differently to only one app for a while`() throws {
        let scenario = try parse(
            "answers: [{topic: com.example.app, from: 5s, until: 25s, status: 403, reason: X}]")
        let other = request(topic: "com.example.shop")
        #expect(
            statuses(scenario, at: [4999, 5000, 24_999, 25_000], request(), other)
                == [200, 200, 403, 200, 403, 200, 200, 200])
    }

    @Test func `repeats a burst each period`() throws {
        let scenario = try parse(
            "answers: [{from: 1s, until: 2s, period: 10s, status: 429, reason: X}]")
        #expect(
            statuses(scenario, at: [0, 1000, 2000, 11_000, 12_000, 21_500], request())
                == [200, 429, 200, 429, 200, 429])
    }

    @Test func `responds differently to every n-th push`() throws {
        let scenario = try parse("answers: [{every: 3, status: 500, reason: X}]")
        #expect(
            statuses(scenario, at: [0, 0, 0, 0, 0, 0], request()) == [200, 200, 500, 200, 200, 500])
    }

    @Test func `applies to a share of pushes, the same ones each time`() throws {
        let times = [Int](repeating: 0, count: 10_000)
        let text = "answers: [{share: 10%, status: 500, reason: X}]"
        let first = statuses(try parse(text), at: times, request())
        #expect(first == statuses(try parse(text), at: times, request()))
        #expect((900...1100).contains(first.count { $0 == 500 }))
        let other = statuses(try parse("seed: 2\n" + text), at: times, request())
        #expect(first != other)
    }

    @Test func `distributes latencies as configured`() throws {
        let scenario = try parse("latency: {p0: 10ms, p50: 20ms, p90: 100ms, p100: 1s}")
        var run = ScenarioRun(scenario)
        let latencies = (0..<10_000).map { _ in
            (run.decision(about: request(), at: moment(0))?.latency ?? .zero).wholeMilliseconds
        }.sorted()
        #expect(latencies[0] >= 10 && latencies[9999] <= 1000)
        #expect((19...21).contains(latencies[5000]))
        #expect((95...110).contains(latencies[9000]))
    }

    @Test func `also delays rejections of the judge`() throws {
        var run = ScenarioRun(try parse("latency: {min: 5ms, max: 6ms}"))
        #expect((.milliseconds(5) ... .milliseconds(6)).contains(run.latencyOfRefusal()))
    }

    @Test func `gives a response its own latency`() throws {
        var run = ScenarioRun(
            try parse("latency: 5ms\nanswers: [{device_token: aa, latency: 90ms}]"))
        #expect(run.decision(about: request("aa"), at: moment(0))?.latency == .milliseconds(90))
        #expect(run.decision(about: request("bb"), at: moment(0))?.latency == .milliseconds(5))
    }

    @Test func `counts the attempts of each push separately`() {
        var counts = AttemptCounts()
        let first = [UInt8]("first".utf8)[...]
        #expect(counts.next(token: request("a").deviceToken, identifier: first) == 1)
        #expect(counts.next(token: request("a").deviceToken, identifier: []) == 1)
        #expect(counts.next(token: request("b").deviceToken, identifier: first) == 1)
        #expect(counts.next(token: request("a").deviceToken, identifier: first) == 2)
    }

    @Test func `remembers no more pushes than configured`() {
        var counts = AttemptCounts(capacity: 10)
        let token = request("a").deviceToken
        for number in 0..<1000 {
            _ = counts.next(token: token, identifier: [UInt8](String(number).utf8)[...])
        }
        #expect(counts.count <= 20)
        #expect(counts.next(token: token, identifier: [UInt8]("999".utf8)[...]) == 2)
    }

    @Test func `selects a share of the connections, or one by its number`() throws {
        var run = ScenarioRun(
            try parse(
                "faults: [{request: 1, cut: end, share: 30%}, {connection: 2, silence: true}]"))
        var cut = 0
        for number in 1...1000 {
            var connection = ConnectionRun(&run, at: 0)
            #expect(connection.states(at: 0).isSilent == (number == 2))
            cut += connection.countRequest().count
        }
        #expect((250...350).contains(cut))
    }

    @Test func `runs timed events once`() throws {
        var run = ScenarioRun(
            try parse("faults: [{at: 2s, cut: end}, {from: 1s, period: 10s, goaway: {}}]"))
        var connection = ConnectionRun(&run, at: 0)
        #expect(connection.nextChange(after: 0) == 1000)
        #expect(connection.advance(to: 999) == [])
        #expect(connection.advance(to: 1000) == [.goAway(ScriptedGoAway())])
        #expect(connection.advance(to: 1000) == [])
        #expect(connection.nextChange(after: 1000) == 2000)
        #expect(connection.advance(to: 2500) == [.cut(.end)])
        #expect(connection.advance(to: 90_000) == [.goAway(ScriptedGoAway())])
        var late = ConnectionRun(&run, at: 3000)
        #expect(late.advance(to: 4000) == [])
    }
}
