import Delivery
import HTTP2
import TLS
import Testing

@testable import APNsSimulator

@Suite struct `A connection to the simulator` {
    static let identity = Result { try SimulatorIdentity.generate() }

    private func service(
        _ responses: [ScriptedResponse] = [],
        _ change: (inout SimulatorConfiguration) -> Void = { _ in }
    ) throws -> SimulatorService {
        var configuration = SimulatorConfiguration(
            identity: try Self.identity.get(), scenario: Scenario(responses: responses))
        change(&configuration)
        return try SimulatorService(configuration)
    }

    private func client(_ service: SimulatorService) throws -> MemoryClient {
        var client = try MemoryClient(service: service, identity: try Self.identity.get())
        try client.start()
        return client
    }

    @Test func `ends if the client does not speak TLS`() throws {
        let start = SimulatorMoment(now: .distantPast, wallClock: 0)
        var connection = try SimulatorConnection(service: service(), at: start)
        let bytes = [UInt8]("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        unsafe connection.receive(bytes.span.bytes, at: start)
        while connection.hasOutput { connection.withOutput { $0.byteCount } }
        let isEnded = connection.isEnded
        #expect(isEnded)
    }

    @Test func `ends if the client does not speak HTTP/2 over TLS`() throws {
        var client = try client(service())
        let question = [UInt8]("GET / HTTP/1.1\r\n\r\n".utf8)
        try unsafe client.tls.write(question.span.bytes)
        _ = try? client.exchange()
        let isEnded = client.server.isEnded
        #expect(isEnded)
    }

    @Test func `is counted while it lasts`() throws {
        let service = try service()
        do {
            let client = try client(service)
            #expect(service.snapshot.connections == 1)
            _ = consume client
        }
        #expect(service.snapshot.connections == 0)
        #expect(service.snapshot.connectionsEver == 1)
    }

    @Test func `rejects a push with the same body as APNs`() throws {
        var client = try client(service())
        var request = client.request()
        request.topic = []
        #expect(try client.push(request) == [#"400 {"reason":"MissingTopic"}"#])
    }

    @Test func `rejects a body that is too long to keep`() throws {
        var client = try client(service())
        var request = client.request()
        request.body = [UInt8](repeating: 32, count: 20_000)
        #expect(try client.push(request) == [#"413 {"reason":"PayloadTooLarge"}"#])
        #expect(try client.push(client.request()) == ["200"])
    }

    @Test func `announces the settings of Apple's servers, and enlarges no window`() throws {
        let identity = try ScenarioStage.identity.get()
        var client = try HostileClient(
            service: try SimulatorService(SimulatorConfiguration(identity: identity)),
            identity: identity)
        try client.greet()
        let settings = try #require(client.frames.first { $0.kind == 4 })
        var announced: [Int: Int] = [:]
        for start in stride(from: 0, to: settings.payload.count, by: 6) {
            let entry = settings.payload[start..<start + 6].map { Int($0) }
            announced[entry[0] << 8 | entry[1]] =
                entry[2] << 24 | entry[3] << 16 | entry[4] << 8 | entry[5]
        }
        // HEADER_TABLE_SIZE, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE and
        // MAX_HEADER_LIST_SIZE.
        #expect(announced == [1: 4096, 3: 1, 4: 65_535, 5: 16_384, 6: 8000])
        #expect(!client.frames.contains { $0.kind == 8 }, "the connection's is 65,535, too")
    }

    @Test func `allows one stream until the first valid request`() throws {
        var client = try client(service())
        #expect(client.http.peerStreamLimit == 1)
        var bad = client.request()
        bad.authorization = []
        _ = try client.push(bad)
        #expect(client.http.peerStreamLimit == 1)
        #expect(try client.push(client.request()) == ["200"])
        #expect(client.http.peerStreamLimit == 1000)
    }

    @Test func `responds to many requests at once`() throws {
        var client = try client(service())
        _ = try client.push(client.request())
        let request = client.request()
        for tag in 0..<500 { try client.http.submit(request, tag: tag) }
        try client.exchange()
        #expect(client.responses() == [String](repeating: "200", count: 500))
    }

    @Test(arguments: [("dead", "Unregistered"), ("4100", "ExpiredToken")])
    func `reports since when a device token is unregistered`(prefix: String, why: String) throws {
        var client = try client(service(Scenario.builtIn.responses))
        let request = client.request(token: prefix + JudgeFixture.token.dropFirst(4))
        let since = JudgeFixture.now - 86_400_000
        #expect(
            try client.push(request) == [#"410 {"reason":"\#(why)","timestamp":\#(since)}"#])
    }

    @Test func `validates a push before it applies a scenario`() throws {
        var client = try client(service(Scenario.builtIn.responses))
        var request = client.request(token: "dead" + JudgeFixture.token.dropFirst(4))
        request.body = []
        #expect(try client.push(request) == [#"400 {"reason":"PayloadEmpty"}"#])
    }

    @Test func `throttles a push twice and then accepts it`() throws {
        let service = try service(Scenario.builtIn.responses)
        var client = try client(service)
        var other = try self.client(service)
        let request = client.request(token: "4290" + JudgeFixture.token.dropFirst(4))
        let throttled = #"429 {"reason":"TooManyRequests"}"#
        #expect(try client.push(request) == [throttled])
        #expect(try other.push(request) == [throttled])
        #expect(try client.push(request, request) == ["200", "200"])
    }

    @Test func `cuts the connection if a response is to be lost`() throws {
        let service = try service([ScriptedResponse(tokenPrefix: "0f", isLost: true)])
        var client = try client(service)
        #expect(try client.push(client.request()) == [])
        let isCut = client.server.isEnded && !client.server.hasOutput
        #expect(isCut)
        #expect(service.snapshot.lostRequests == 1)
    }

    @Test func `responds late if configured so`() throws {
        let service = try service([ScriptedResponse(tokenPrefix: "0f", latency: 200)])
        var client = try client(service)
        #expect(try client.push(client.request()) == [])
        #expect(client.server.nextDeadline == .distantPast + .milliseconds(200))
        #expect(service.snapshot.openStreams == 1)
        try client.wait(milliseconds: 199)
        #expect(client.responses() == [])
        try client.wait(milliseconds: 1)
        #expect(client.responses() == ["200"])
        #expect(service.snapshot.openStreams == 0)
        #expect(client.server.nextDeadline == .distantPast + .seconds(5400))
    }

    @Test func `drops the response to a request that was abandoned`() throws {
        let service = try service([ScriptedResponse(tokenPrefix: "0f", latency: 200)])
        var client = try client(service)
        try client.http.submit(client.request(), tag: 7)
        try client.exchange()
        client.http.cancel(tag: 7)
        try client.exchange()
        #expect(client.server.nextDeadline == .distantPast + .seconds(5400))
        #expect(service.snapshot.openStreams == 0)
    }

    @Test func `gives pushes an identifier for the delivery log in development only`() throws {
        for isDevelopment in [true, false] {
            var client = try client(service { $0.isDevelopment = isDevelopment })
            try client.http.submit(client.request(), tag: 0)
            try client.exchange()
            let sizes = client.events.compactMap { event -> Int? in
                if case .response(_, let response) = event { response.uniqueID.count } else { nil }
            }
            #expect(sizes == [isDevelopment ? 36 : 0])
        }
    }

    @Test func `counts responses by status`() throws {
        let service = try service(Scenario.builtIn.responses)
        var client = try client(service)
        let dead = client.request(token: "dead" + JudgeFixture.token.dropFirst(4))
        _ = try client.push(client.request(), dead, client.request())
        #expect(service.snapshot.responsesByStatus == [200: 2, 410: 1])
        #expect(service.snapshot.accepted == 2)
        #expect(service.snapshot.responses == 3)
    }

    @Test func `sends GOAWAY when it is stopped`() throws {
        var client = try client(service())
        client.server.stop()
        try client.exchange()
        let isReported = client.events.contains { event in
            if case .goAway = event { true } else { false }
        }
        #expect(isReported)
        let hasEnded = client.hasEnded
        #expect(hasEnded)
        let isEnded = client.server.isEnded
        #expect(isEnded)
    }
}
