import Delivery
import HTTP2
import TLS
import Testing

@testable import APNsSimulator

@Suite struct `A scenario lets connections` {
    @Test func `end after 1000 requests, with responses to all of them`() throws {
        var client = try ScenarioStage("goaway").client()
        let message = try client.pushAtOnce(999)
        #expect(message.filter { $0 == "200" }.count == 999)
        #expect(message.contains("goaway 1999 0 "))
        let hasEnded = client.hasEnded
        #expect(hasEnded)
    }

    @Test func `end without processing any open request`() throws {
        var client = try ScenarioStage("goaway-unprocessed").client(warm: false)
        _ = try client.push(client.request())
        try client.pass(milliseconds: 20)
        _ = client.received()
        let message = try client.pushAtOnce(99)
        #expect(message.contains("goaway 0 0 "))
        #expect(message.filter { $0 == "not processed" }.count == 99)
    }

    @Test func `end without showing what a GOAWAY excludes`() throws {
        let stage = try ScenarioStage("faults: [{request: 2, goaway: {last_stream: none}}]")
        var client = try stage.client()
        let message = try client.pushAtOnce(1)
        #expect(message.contains("not processed"))
        #expect(stage.service.memory?.requests().total == 1)
        let hasEnded = client.hasEnded
        #expect(hasEnded)
    }

    @Test func `end with two GOAWAYs`() throws {
        var client = try ScenarioStage("goaway-two-step").client()
        let first = try client.pushAtOnce(99)
        #expect(first.contains("goaway 2147483647 0 "))
        #expect(first.filter { $0 == "200" }.count == 99)
        try client.pass(milliseconds: 999)
        let isOpen = !client.server.isEnded
        #expect(isOpen)
        try client.pass(milliseconds: 1)
        let hasEnded = client.hasEnded
        #expect(hasEnded)
    }

    @Test func `end with two GOAWAYs, with responses to requests between them`() throws {
        let text = "faults: [{request: 2, goaway: {second_after: 1s}}]\nlatency: 2s"
        var client = try ScenarioStage(text).client(warm: false)
        try client.http.submit(client.request(), tag: 0)
        try client.exchange()
        try client.pass(milliseconds: 2_000)
        _ = client.received()
        #expect(try client.pushAtOnce(1) == ["goaway 2147483647 0 "])
        try client.pass(milliseconds: 1_000)
        #expect(client.received() == ["goaway 3 0 "])
        try client.pass(milliseconds: 1_000)
        #expect(client.received() == ["200"])
        let hasEnded = client.hasEnded
        #expect(hasEnded)
    }

    @Test func `end with Apple's reason at a given time`() throws {
        var client = try ScenarioStage("goaway-idle").client()
        try client.pass(milliseconds: 29_999)
        #expect(client.received() == [])
        try client.pass(milliseconds: 1)
        #expect(client.received() == [#"goaway 1 0 {"reason":"IdleTimeout"}"#])
    }

    @Test func `learn only from a GOAWAY that the environment is wrong`() throws {
        var client = try ScenarioStage("wrong-environment").client(warm: false)
        let message = try client.pushAtOnce(1)
        #expect(message.contains(#"goaway 0 0 {"reason":"BadCertificateEnvironment"}"#))
        #expect(message.contains("not processed"))
        let hasEnded = client.hasEnded
        #expect(hasEnded)
    }

    @Test func `end because of too many streams`() throws {
        var client = try ScenarioStage("goaway-too-many-streams").client()
        let message = try client.pushAtOnce(199)
        #expect(message.contains("goaway 0 7 Maximum active streams violated"))
    }

    @Test(arguments: [
        ("expired-connections", 500, "ExpiredProviderToken"),
        ("unrelated-keys", 100, "UnrelatedKeyIdInToken"),
    ])
    func `reject the credential until the client reconnects`(
        scenario: String, count: Int, reason: String
    ) throws {
        let stage = try ScenarioStage(scenario)
        var isForbidden = false
        for _ in 0..<20 where !isForbidden {
            var client = try stage.client()
            #expect(try client.tally(count - 2) == ["200": count - 2])
            let refusal = #"403 {"reason":"\#(reason)"}"#
            isForbidden = try client.tally(20) == [refusal: 20]
        }
        #expect(isForbidden)
        var next = try stage.client()
        #expect(try next.pushAtOnce(1) == ["200"])
    }

    @Test func `be cut if they are opened too often`() throws {
        let stage = try ScenarioStage("connection-churn")
        func isRefused(at seconds: Int) throws -> Bool {
            let moment = SimulatorMoment(now: .distantPast + .seconds(seconds), wallClock: 0)
            return try SimulatorConnection(service: stage.service, at: moment).isToBeReset
        }
        for number in 0..<30 { #expect(try !isRefused(at: number)) }
        #expect(try isRefused(at: 59))
        #expect(try !isRefused(at: 60))
        #expect(try isRefused(at: 60))
    }

    @Test func `become zombies after a GOAWAY`() throws {
        var client = try ScenarioStage("goaway-zombie").client()
        let message = try client.pushAtOnce(60)
        // One was accepted before.
        #expect(message.filter { $0 == "200" }.count == 48)
        #expect(message.contains { $0.hasPrefix("goaway") })
        client.http.ping(7)
        try client.pass(milliseconds: 60_000)
        #expect(!client.received().contains("pong"))
        let isEnded = client.server.isEnded
        #expect(!isEnded)
    }

    @Test func `have their stream limit fall and rise`() throws {
        var client = try ScenarioStage("stream-limit-swings").client()
        try client.pass(milliseconds: 2_000)
        #expect(client.http.peerStreamLimit == 1)
        try client.pass(milliseconds: 2_000)
        #expect(client.http.peerStreamLimit == 1000)
        try client.pass(milliseconds: 8_000)
        #expect(client.http.peerStreamLimit == 1)
    }

    @Test func `have no streams for a while`() throws {
        var client = try ScenarioStage("no-streams").client()
        try client.pass(milliseconds: 5_000)
        #expect(client.http.peerStreamLimit == 0)
        try client.pass(milliseconds: 5_000)
        #expect(client.http.peerStreamLimit == 1000)
    }

    @Test func `lose streams for each rejection, and then end`() throws {
        var client = try ScenarioStage("stream-limit-after-errors").client()
        var bad = client.request()
        bad.topic = []
        for _ in 0..<50 { _ = try client.push(bad) }
        #expect(client.http.peerStreamLimit == 1)
        for _ in 0..<49 { _ = try client.push(bad) }
        _ = client.received()
        try client.http.submit(bad, tag: 0)
        try client.exchange()
        #expect(client.received().contains { $0.hasPrefix("goaway") && $0.hasSuffix(" 11 ") })
    }

    @Test func `have no compression table`() throws {
        var client = try ScenarioStage("small-table").client()
        #expect(try client.pushAtOnce(100).filter { $0 == "200" }.count == 100)
    }

    @Test func `have closed windows that open again`() throws {
        var client = try ScenarioStage("closed-windows").client()
        try client.pass(milliseconds: 5_000)
        var request = client.request()
        request.body = [UInt8](#"{"a":""#.utf8) + [UInt8](repeating: 120, count: 4000)
        request.body += [UInt8](#""}"#.utf8)
        var sent = 0
        while client.http.canSubmit(bodyBytes: request.body.count) {
            try client.http.submit(request, tag: sent)
            try client.exchange()
            sent += 1
        }
        #expect(sent == 16)
        #expect(client.received().filter { $0 == "200" }.count == 16)
        try client.pass(milliseconds: 4_999)
        let isStuck = !client.http.canSubmit(bodyBytes: 4000)
        #expect(isStuck)
        try client.pass(milliseconds: 1)
        let isFree = client.http.canSubmit(bodyBytes: 4000)
        #expect(isFree)
    }

    @Test func `have streams with small windows`() throws {
        var client = try ScenarioStage("small-windows").client()
        var request = client.request()
        request.body = [UInt8](#"{"a":""#.utf8) + [UInt8](repeating: 120, count: 4000)
        request.body += [UInt8](#""}"#.utf8)
        #expect(try client.push(request, client.request()) == ["200", "200"])
        try client.pass(milliseconds: 5_000)
        #expect(try client.push(request) == [])
        try client.pass(milliseconds: 2_999)
        #expect(!client.received().contains("200"))
        try client.pass(milliseconds: 1)
        #expect(client.received().contains("200"))
    }

    @Test func `fall silent, even to a PING`() throws {
        var client = try ScenarioStage("faults: [{request: 10, silence: true}]").client()
        #expect(try client.pushAtOnce(8).count == 8)
        #expect(try client.pushAtOnce(5) == [])
        client.http.ping(1)
        try client.pass(milliseconds: 3_600_000)
        #expect(client.received() == [])
        #expect(client.http.openStreams == 5)
    }

    @Test func `fall silent for a while, and then get all responses`() throws {
        var client = try ScenarioStage("faults: [{from: 1s, until: 5s, silence: true}]").client()
        try client.pass(milliseconds: 1_000)
        #expect(try client.pushAtOnce(5) == [])
        try client.pass(milliseconds: 3_999)
        #expect(client.received() == [])
        try client.pass(milliseconds: 1)
        #expect(client.received() == [String](repeating: "200", count: 5))
    }

    @Test func `fall silent in half of the cases`() throws {
        let stage = try ScenarioStage("silence")
        var silent = 0
        for _ in 0..<20 {
            var client = try stage.client()
            if try client.pushAtOnce(99).count < 99 { silent += 1 }
        }
        #expect((4...16).contains(silent))
    }

    @Test func `be cut in either of two ways`() throws {
        let stage = try ScenarioStage("connection-cuts")
        var ways: Set<Bool> = []
        for _ in 0..<20 {
            var client = try stage.client()
            _ = try client.pushAtOnce(250)
            let isEnded = client.server.isEnded
            #expect(isEnded)
            ways.insert(client.server.isToBeReset)
        }
        #expect(ways == [true, false])
    }

    @Test func `lose a response together with the connection`() throws {
        let stage = try ScenarioStage("lost-answers")
        var lost = 0
        for _ in 0..<30 {
            var client = try stage.client()
            if try client.pushAtOnce(100).count < 100 { lost += 1 }
        }
        #expect((1...15).contains(lost))
    }

    @Test func `receive invalid HTTP/2`() throws {
        var client = try ScenarioStage("garbage").client()
        #expect(throws: HTTP2Error.self) { _ = try client.pushAtOnce(150) }
    }

    @Test func `wait for a round trip`() throws {
        var client = try MemoryClient(
            service: try ScenarioStage("far-away").service,
            identity: try ScenarioStage.identity.get())
        try client.start()
        #expect(client.tls.isEstablished == false)
        try client.pass(milliseconds: 150)
        #expect(client.tls.isEstablished == true)
        try client.pass(milliseconds: 150)
        try client.http.submit(client.request(), tag: 0)
        try client.exchange()
        try client.pass(milliseconds: 149)
        #expect(!client.received().contains("200"))
        try client.pass(milliseconds: 1_100)
        #expect(client.received().contains("200"))
    }

    @Test func `be read slowly`() throws {
        var client = try ScenarioStage("slow-reading").client()
        try client.pass(milliseconds: 5_000)
        var request = client.request()
        request.body = [UInt8](#"{"a":""#.utf8) + [UInt8](repeating: 120, count: 4000)
        request.body += [UInt8](#""}"#.utf8)
        for tag in 0..<4 { try client.http.submit(request, tag: tag) }
        try client.exchange()
        #expect(client.received() == [])
        // One TLS record has them all: it takes four seconds until it has arrived completely.
        try client.pass(milliseconds: 3_500)
        #expect(client.received() == [])
        try client.pass(milliseconds: 1_500)
        #expect(client.received() == ["200", "200", "200", "200"])
    }

    @Test(arguments: [
        ("tls-expired", "expired"), ("tls-untrusted", "certificate verify failed"),
        ("tls-wrong-host", "somebody-else"), ("faults: [{tls: refused}]", "rejected"),
        ("faults: [{tls: revoked}]", "rejected"), ("faults: [{tls: broken}]", "rejected"),
        ("faults: [{tls: no_http2}]", "HTTP/2"), ("faults: [{tls: plain}]", "not speak TLS"),
    ])
    func `fail in their handshake`(scenario: String, message: String) throws {
        let stage = try ScenarioStage(scenario)
        let error = try #require(try stage.handshakeError())
        #expect(error.description.contains(message), "\(error)")
    }

    @Test(arguments: ["tls-refused", "no-http2"])
    func `fail in their handshake in either of two ways`(scenario: String) throws {
        let stage = try ScenarioStage(scenario)
        var message: Set<String> = []
        for _ in 0..<20 { message.insert(try #require(try stage.handshakeError()).description) }
        #expect(message.count == 2)
    }

    @Test func `never end their handshake`() throws {
        var client = try ScenarioStage("tls-silent").client(warm: false)
        #expect(client.tls.isEstablished == false)
        try client.pass(milliseconds: 9_999)
        let isEnded = client.server.isEnded
        #expect(!isEnded)
    }

    @Test func `be refused while there is no listener`() throws {
        let stage = try ScenarioStage("refused-connections")
        var client = try stage.client()
        try client.pass(milliseconds: 5_000)
        let isReset = client.server.isToBeReset
        #expect(isReset)
        let later = SimulatorMoment(now: .distantPast + .seconds(6), wallClock: 0)
        let refused = try SimulatorConnection(service: stage.service, at: later)
        let isRefused = refused.isEnded
        #expect(isRefused)
    }

    @Test func `survive the bad-day scenario`() throws {
        var client = try ScenarioStage("bad-day").client(warm: false)
        try client.pass(milliseconds: 100)
        for tag in 0..<100 {
            guard client.http.canSubmit(bodyBytes: 100) else { break }
            try client.http.submit(client.request(), tag: tag)
            try client.exchange()
            try client.pass(milliseconds: 100)
        }
        try client.pass(milliseconds: 3_000)
        #expect(client.received().filter { $0 == "200" }.count > 80)
    }

    @Test func `follow another scenario that begins while they are open`() throws {
        let stage = try ScenarioStage("answers: [{share: 1, status: 500, reason: X}]")
        var client = try stage.client()
        try stage.service.begin(
            try Scenario.parse([UInt8]("faults: [{at: 1s, cut: end}]".utf8), file: "x"),
            at: client.moment.now)
        #expect(try client.pushAtOnce(1) == ["200"])
        try client.pass(milliseconds: 1_000)
        let isEnded = client.server.isEnded
        #expect(isEnded)
    }
}
