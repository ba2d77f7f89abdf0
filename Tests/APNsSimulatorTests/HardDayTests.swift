import Delivery
import HTTP2
import Testing

@testable import APNsSimulator

/// A scenario with many faults in which no push need fail.
@Suite struct `The hard-day scenario` {
    @Test func `rejects only one app for twenty seconds`() throws {
        let scenario = try Scenario.find("hard-day")
        var run = ScenarioRun(scenario, begun: .distantPast)
        var request = PushRequest()
        request.set([UInt8](":path".utf8), to: [UInt8]("/3/device/\(JudgeFixture.token)".utf8))
        func statuses(of app: String) -> [Int] {
            request.set([UInt8]("apns-topic".utf8), to: [UInt8](app.utf8))
            return [0, 9_999, 10_000, 29_999, 30_000, 60_000].compactMap { (time: Int) in
                let moment = SimulatorMoment(now: .distantPast + .milliseconds(time), wallClock: 0)
                return run.decision(about: request, at: moment)?.judgement.status
            }
        }
        #expect(statuses(of: "com.example.app") == [200, 200, 403, 403, 200, 200])
        #expect(statuses(of: "com.example.shop") == [200, 200, 200, 200, 200, 200])
    }

    @Test func `allows one stream for three seconds, and cuts the connection once`() throws {
        var client = try ScenarioStage("hard-day").client()
        try client.pass(milliseconds: 11_999)
        _ = client.received()
        try client.pass(milliseconds: 1)
        #expect(client.received() == ["limit 1"])
        try client.pass(milliseconds: 3_000)
        #expect(client.received() == ["limit 1000"])
        try client.pass(milliseconds: 4_999)
        let stands = !client.server.isEnded
        #expect(stands)
        try client.pass(milliseconds: 1)
        let isReset = client.server.isToBeReset
        #expect(isReset)
    }

    @Test func `is silent for five seconds, and then responds`() throws {
        let moment = SimulatorMoment(
            now: .distantPast + .seconds(32), wallClock: JudgeFixture.now)
        var client = try ScenarioStage("hard-day").client(warm: false, at: moment)
        try client.pass(milliseconds: 1_000)
        _ = client.received()
        #expect(try client.pushAtOnce(1) == [])
        try client.pass(milliseconds: 4_999)
        #expect(client.received() == [])
        try client.pass(milliseconds: 100)
        #expect(client.received().contains("200"))
    }
}
