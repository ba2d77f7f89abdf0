import Delivery
import HTTP2
import Testing

@testable import APNsSimulator

@Suite struct `An idle connection to the simulator` {
    private static let limit = 90 * 60 * 1000

    @Test func `gets GOAWAY after an hour and a half`() throws {
        var client = try ScenarioStage("answers: [{device_token: aa}]").client()
        try client.pass(milliseconds: Self.limit - 1)
        #expect(client.received() == [])
        try client.pass(milliseconds: 1)
        #expect(client.received() == [#"goaway 1 0 {"reason":"IdleTimeout"}"#])
        let isEnded = client.server.isEnded
        #expect(isEnded)
    }

    @Test func `stays open if it sends PING every hour`() throws {
        var client = try ScenarioStage("answers: [{device_token: aa}]").client()
        for number in 0..<48 as Range<UInt64> {
            try client.pass(milliseconds: 3_600_000)
            client.http.ping(number)
            try client.exchange()
            #expect(client.received() == ["pong"])
        }
        try client.pass(milliseconds: Self.limit)
        let isEnded = client.server.isEnded
        #expect(isEnded)
    }

    @Test func `stays open while it waits for a response`() throws {
        let scenario = "settings: {idle_timeout: 10s}\nlatency: 25s"
        var client = try ScenarioStage(scenario).client(warm: false)
        try client.http.submit(client.request(), tag: 0)
        try client.exchange()
        try client.pass(milliseconds: 24_999)
        #expect(!client.received().contains("200"))
        try client.pass(milliseconds: 1)
        #expect(client.received().contains("200"))
    }

    @Test func `gets GOAWAY from a scenario after seconds`() throws {
        var client = try ScenarioStage("settings: {idle_timeout: 10s}").client()
        try client.pass(milliseconds: 9_999)
        let isOpen = !client.server.isEnded
        #expect(isOpen)
        try client.pass(milliseconds: 1)
        let isEnded = client.server.isEnded
        #expect(isEnded)
    }

    @Test func `gets GOAWAY from a scenario that begins later`() throws {
        let stage = try ScenarioStage("answers: [{device_token: aa}]")
        var client = try stage.client()
        try client.pass(milliseconds: 5_000)
        let scenario = try Scenario.parse([UInt8]("settings: {idle_timeout: 8s}".utf8), file: "s")
        try stage.service.begin(scenario, at: client.moment.now)
        try client.pass(milliseconds: 0)
        try client.pass(milliseconds: 2_999)
        let isOpen = !client.server.isEnded
        #expect(isOpen)
        try client.pass(milliseconds: 1)
        let isEnded = client.server.isEnded
        #expect(isEnded)
    }

    @Test func `is closed if it never begins to speak HTTP/2`() throws {
        let stage = try ScenarioStage("settings: {idle_timeout: 20s}")
        var client = try HostileClient(
            service: stage.service, identity: ScenarioStage.identity.get())
        try client.shakeHands()
        client.server.expire(
            at: SimulatorMoment(now: .distantPast + .milliseconds(19_999), wallClock: 0))
        let isOpen = !client.server.isEnded
        #expect(isOpen)
        client.server.expire(at: SimulatorMoment(now: .distantPast + .seconds(20), wallClock: 0))
        while client.server.hasOutput { client.server.withOutput { $0.byteCount } }
        let isEnded = client.server.isEnded
        #expect(isEnded)
    }
}
