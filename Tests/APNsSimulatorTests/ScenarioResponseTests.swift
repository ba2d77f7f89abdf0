import HTTP2
import Testing

@testable import APNsSimulator

@Suite struct `A scenario answers pushes` {
    @Test func `with 429 and Retry-After in bursts that come again`() throws {
        var client = try ScenarioStage("throttled").client()
        #expect(try client.tally(100) == ["200": 100])
        try client.pass(milliseconds: 10_000)
        let busy = try client.tally(400)
        #expect((150...250).contains(busy[#"429 {"reason":"TooManyRequests"}"#] ?? 0))
        try client.http.submit(client.request(), tag: 1)
        var fields: Set<String> = []
        for _ in 0..<20 {
            try client.exchange()
            for event in client.events {
                guard case .response(_, let response) = event, response.status == 429
                else { continue }
                fields.insert(String(decoding: response.retryAfter, as: UTF8.self))
            }
            client.events.removeAll()
            try client.http.submit(client.request(), tag: 1)
        }
        #expect(fields == ["2"])
        try client.pass(milliseconds: 10_000)
        _ = client.received()
        #expect(try client.tally(100) == ["200": 100])
    }

    /// What was fixed in Apple's portal is noticed on a new connection only.
    @Test func `as they were for a topic when the connection's first push was accepted`() throws {
        let stage = try ScenarioStage(
            "answers: [{topic: com.example.late, until: 10s, status: 400,"
                + " reason: TopicDisallowed}]")
        // The first push of the early one, to another app, is accepted while this one is refused.
        var early = try stage.client()
        var fresh = try stage.client(warm: false)
        var late = early.request()
        late.topic = [UInt8]("com.example.late".utf8)
        let refused = #"400 {"reason":"TopicDisallowed"}"#
        #expect(try early.push(late) == [refused])
        #expect(try fresh.push(late) == [refused])
        try early.pass(milliseconds: 11_000)
        try fresh.pass(milliseconds: 11_000)
        #expect(try early.push(late, early.request()) == [refused, "200"])
        #expect(try fresh.push(late) == ["200"])
    }

    @Test func `with 429 for the first attempts of each push to a device`() throws {
        var client = try ScenarioStage("throttled-device").client()
        let request = client.request(token: "a" + JudgeFixture.token.dropFirst(1))
        let throttled = #"429 {"reason":"TooManyRequests"}"#
        #expect(
            try client.push(request, request, request, request)
                == [throttled, throttled, throttled, "200"])
    }

    @Test func `with 503 while the service is unavailable`() throws {
        var client = try ScenarioStage("unavailable").client()
        try client.pass(milliseconds: 5_000)
        #expect(try client.pushAtOnce(1) == [#"503 {"reason":"ServiceUnavailable"}"#])
        try client.pass(milliseconds: 30_000)
        #expect(try client.pushAtOnce(1) == ["200"])
    }

    @Test func `with Shutdown before its GOAWAY`() throws {
        var client = try ScenarioStage("shutdown").client()
        try client.pass(milliseconds: 5_000)
        #expect(try client.pushAtOnce(1) == [#"503 {"reason":"Shutdown"}"#])
        try client.pass(milliseconds: 200)
        #expect(client.received() == [#"goaway 3 0 {"reason":"Shutdown"}"#])
        let hasEnded = client.hasEnded
        #expect(hasEnded)
    }

    @Test func `with errors whose body is not valid JSON, or none`() throws {
        var client = try ScenarioStage("server-errors").client()
        let tally = try client.tally(3000)
        #expect(tally[#"500 {"reason":"InternalServerError"}"#, default: 0] > 10)
        #expect(tally["502 <html><body>Bad Gateway</body></html>", default: 0] > 0)
        #expect(tally["500", default: 0] > 0)
    }

    @Test func `with unrecognized reasons`() throws {
        var client = try ScenarioStage("unknown-reasons").client(warm: false)
        let tally = try client.tally(100)
        #expect(tally[#"400 {"reason":"SomethingNew"}"#] == 10)
        #expect(tally[#"403 {"reason":"SomethingForbidden"}"#, default: 0] > 0)
        #expect(tally["418", default: 0] > 0)
        #expect(tally[#"599 {"reason":"SomethingBroken"}"#, default: 0] > 0)
    }

    @Test func `with 410, with and without a timestamp`() throws {
        var client = try ScenarioStage("dead-tokens").client()
        let tally = try client.tally(2000)
        let since = JudgeFixture.now - 86_400_000
        let message = #"410 {"reason":"Unregistered","timestamp":\#(since)}"#
        #expect((30...90).contains(tally[message, default: 0]))
        #expect(tally[#"410 {"reason":"Unregistered"}"#, default: 0] > 5)
    }

    @Test func `with invalid tokens for half of the devices`() throws {
        var client = try ScenarioStage("mass-invalidation").client()
        #expect(try client.tally(50) == ["200": 50])
        try client.pass(milliseconds: 10_000)
        let tally = try client.tally(400)
        #expect((150...250).contains(tally[#"400 {"reason":"BadDeviceToken"}"#, default: 0]))
        #expect(tally[#"400 {"reason":"DeviceTokenNotForTopic"}"#, default: 0] > 0)
    }

    @Test func `with 403 to only one app`() throws {
        var client = try ScenarioStage("one-app-forbidden").client()
        try client.pass(milliseconds: 5_000)
        var other = client.request()
        other.topic = [UInt8]("com.example.shop".utf8)
        #expect(
            try client.push(client.request(), other)
                == [#"403 {"reason":"InvalidProviderToken"}"#, "200"])
        try client.pass(milliseconds: 20_000)
        #expect(try client.push(client.request(), other) == ["200", "200"])
    }

    @Test func `with 403 to all once the key is revoked, which closes every connection`() throws {
        let stage = try ScenarioStage("revoked-key")
        var client = try stage.client()
        #expect(try client.pushAtOnce(1) == ["200"])
        try client.pass(milliseconds: 5_000)
        let isEnded = client.server.isEnded
        #expect(isEnded)
        var next = try stage.client(warm: false, at: client.moment)
        #expect(try next.push(next.request()) == [#"403 {"reason":"InvalidProviderToken"}"#])
    }

    @Test(arguments: [
        ("topic-disallowed", #"400 {"reason":"TopicDisallowed"}"#),
        ("expired-provider-token", #"403 {"reason":"ExpiredProviderToken"}"#),
        ("wrong-key-environment", #"403 {"reason":"BadEnvironmentKeyInToken"}"#),
        ("too-many-token-updates", #"429 {"reason":"TooManyProviderTokenUpdates"}"#),
    ])
    func `with the faults of a credential`(scenario: String, message: String) throws {
        var client = try ScenarioStage(scenario).client()
        try client.pass(milliseconds: 5_000)
        #expect(try client.pushAtOnce(1) == [message])
    }

    @Test func `late, as its percentiles say`() throws {
        var client = try ScenarioStage("slow").client(warm: false)
        try client.http.submit(client.request(), tag: 0)
        try client.exchange()
        try client.pass(milliseconds: 19)
        #expect(!client.received().contains("200"))
        try client.pass(milliseconds: 5_000)
        #expect(client.received().contains("200"))
    }

    @Test func `never, or only by half`() throws {
        var silent = try ScenarioStage("answers: [{every: 2, silence: true}]").client()
        #expect(try silent.pushAtOnce(1) == [])
        #expect(silent.http.openStreams == 1)
        #expect(try silent.pushAtOnce(1, first: 1) == ["200"])
        let text = "answers: [{every: 2, half: true, status: 500, reason: InternalServerError}]"
        var half = try ScenarioStage(text).client()
        #expect(try half.pushAtOnce(1) == [])
        #expect(half.http.openStreams == 1)
        #expect(try half.pushAtOnce(1, first: 1) == ["200"])
    }

    @Test func `by half, now and then`() throws {
        var client = try ScenarioStage("half-answers").client()
        for tag in 0..<900 { _ = try client.pushAtOnce(1, first: tag) }
        #expect((2...30).contains(client.http.openStreams))
    }

    @Test func `never, for one in a thousand`() throws {
        var client = try ScenarioStage("missing-answers").client()
        for tag in 0..<3000 { _ = try client.pushAtOnce(1, first: tag) }
        #expect((1...12).contains(client.http.openStreams))
    }

    @Test func `by refusing streams`() throws {
        var client = try ScenarioStage("refused-streams").client()
        let tally = try client.tally(1000)
        #expect((2...30).contains(tally["not processed", default: 0]))
    }

    @Test func `by resetting streams with other codes`() throws {
        var client = try ScenarioStage("reset-streams").client(warm: false)
        let tally = try client.tally(500)
        #expect(tally["reset 5"] == 5)
        #expect(tally["reset 2", default: 0] > 0 && tally["reset 8", default: 0] > 0)
        #expect(tally["reset 1", default: 0] > 0 && tally["reset 13", default: 0] > 0)
    }

    @Test func `with 410 for a third of all devices at once`() throws {
        var client = try ScenarioStage("mass-unregistration").client()
        #expect(try client.tally(100) == ["200": 100])
        try client.pass(milliseconds: 10_000)
        let since = client.moment.wallClock - 3_600_000
        let gone = #"410 {"reason":"Unregistered","timestamp":\#(since)}"#
        #expect((50...150).contains(try client.tally(300)[gone] ?? 0))
    }

    @Test func `before their bodies have ended`() throws {
        let stage = try ScenarioStage("early-answers")
        var client = try HostileClient(
            service: stage.service, identity: ScenarioStage.identity.get())
        try client.greet()
        try client.say(HostileClient.frame(1, flags: 4, stream: 1, HostileClient.block))
        for _ in 0..<3 {
            try client.say(HostileClient.frame(0, stream: 1, [UInt8](repeating: 32, count: 200)))
        }
        let reply = client.frames.filter { $0.stream == 1 }.map(\.kind)
        // The fields, the body, and a reset without a fault.
        #expect(reply.filter { $0 != 8 } == [1, 0, 3])
        var other = try stage.client()
        #expect(try other.pushAtOnce(1) == ["200"])
    }

    @Test func `by cutting the connection`() throws {
        var client = try ScenarioStage("answers: [{every: 3, cut: reset}]").client()
        #expect(try client.pushAtOnce(1) == ["200"])
        #expect(try client.pushAtOnce(1) == [])
        let isEnded = client.server.isEnded && client.server.isToBeReset
        #expect(isEnded)
    }
}
