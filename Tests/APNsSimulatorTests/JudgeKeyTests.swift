import Testing

@testable import APNsSimulator

@Suite struct `The judge of keys` {
    let fixture: JudgeFixture

    init() throws { fixture = try JudgeFixture() }

    private func request(
        of identity: SimulatorIdentity, age: Int64 = 0, topic: String = "com.example.app"
    ) throws -> PushRequest {
        let bearer = try fixture.bearer(age: age, of: identity)
        return try fixture.request(["authorization": bearer, "apns-topic": topic])
    }

    @Test func `rejects a key of the other environment`() throws {
        let request = try request(of: fixture.development)
        var production = fixture.judge()
        #expect(
            production.judge(request, wallClock: JudgeFixture.now).message
                == "403 BadEnvironmentKeyIdInToken")
        var development = Judge(keys: fixture.keys, environment: .development)
        #expect(development.judge(request, wallClock: JudgeFixture.now) == .accepted)
        let renewed = try self.request(of: fixture.renewed)
        #expect(
            development.judge(renewed, wallClock: JudgeFixture.now).message
                == "403 BadEnvironmentKeyIdInToken")
    }

    @Test func `accepts a key for both environments in either`() throws {
        for environment in ProviderKey.Environment.allCases {
            var judge = Judge(keys: fixture.keys, environment: environment)
            let request = try request(of: fixture.identity)
            #expect(judge.judge(request, wallClock: JudgeFixture.now) == .accepted)
        }
    }

    @Test func `rejects two unrelated keys on one connection`() throws {
        let teamScoped = try request(of: fixture.identity, topic: "com.example.shop")
        let topicSpecific = try request(of: fixture.limited, topic: "com.example.shop")
        for (first, second) in [(teamScoped, topicSpecific), (topicSpecific, teamScoped)] {
            var judge = fixture.judge()
            #expect(judge.judge(first, wallClock: JudgeFixture.now) == .accepted)
            #expect(
                judge.judge(second, wallClock: JudgeFixture.now).message
                    == "403 UnrelatedKeyIdInToken")
            #expect(judge.judge(first, wallClock: JudgeFixture.now) == .accepted)
        }
    }

    @Test func `accepts a topic-specific key and its related key on one connection`() throws {
        let first = try request(of: fixture.limited, topic: "com.example.shop")
        let second = try request(of: fixture.related)
        var judge = fixture.judge()
        for request in [first, second, first, second] {
            #expect(judge.judge(request, wallClock: JudgeFixture.now) == .accepted)
        }
        var foreign = PushRequest()
        for (name, value) in [
            (":method", "POST"), (":path", "/3/device/" + JudgeFixture.token),
            ("apns-topic", "com.example.shop"),
        ] { foreign.set([UInt8](name.utf8), to: [UInt8](value.utf8)) }
        foreign.set([UInt8]("authorization".utf8), to: [UInt8](second.authorization))
        #expect(
            judge.judge(foreign, wallClock: JudgeFixture.now).message == "400 TopicDisallowed")
    }

    @Test func `accepts two team-scoped keys of a team on one connection`() throws {
        var judge = fixture.judge()
        let first = try request(of: fixture.identity)
        let second = try request(of: fixture.renewed)
        for request in [first, second, first] {
            #expect(judge.judge(request, wallClock: JudgeFixture.now) == .accepted)
        }
    }

    @Test func `counts the 20 minutes of a token for each key`() throws {
        var judge = fixture.judge()
        let tokens = try [
            request(of: fixture.identity, age: 1800), request(of: fixture.renewed, age: 1800),
        ]
        let start = JudgeFixture.now
        for token in tokens { #expect(judge.judge(token, wallClock: start) == .accepted) }
        let next = try request(of: fixture.identity)
        #expect(
            judge.judge(next, wallClock: start + 1_199_999).message
                == "429 TooManyProviderTokenUpdates")
        #expect(judge.judge(next, wallClock: start + 1_200_000) == .accepted)
    }

    @Test(arguments: ["com.apple.mgmt.External.a1b2", "com.example.app"])
    func `rejects pushes for device management with a token`(topic: String) throws {
        let response = try fixture.response(
            ["apns-push-type": "mdm", "apns-topic": topic], body: #"{"mdm":"A1B2"}"#)
        #expect(response == "400 TopicDisallowed")
    }

    @Test func `accepts a location push with a token`() throws {
        let response = try fixture.response([
            "apns-push-type": "location", "apns-topic": "com.example.app.location-query",
        ])
        #expect(response == "200")
    }
}
