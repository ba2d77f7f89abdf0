import HTTP2
import Testing

@testable import APNsSimulator

@Suite struct `The initial stream limit` {
    private func client() throws -> HostileClient {
        let service = try ScenarioStage("answers: [{device_token: aa}]").service
        var client = try HostileClient(service: service, identity: ScenarioStage.identity.get())
        try client.greet()
        return client
    }

    private static func open(_ streams: ClosedRange<UInt32>) -> [UInt8] {
        streams.flatMap { number in
            HostileClient.frame(1, flags: 4, stream: 2 * number - 1, HostileClient.block)
        }
    }

    @Test func `refuses streams before it is known, and keeps the connection`() throws {
        var client = try client()
        try client.say(Self.open(1...100))
        let resets = client.frames.filter { $0.kind == 3 }
        #expect(resets.map(\.stream) == (2...100).map { 2 * $0 - 1 })
        // REFUSED_STREAM: nothing was processed, it is safe to retry.
        #expect(resets.allSatisfy { $0.payload == [0, 0, 0, 7] })
        #expect(client.goAwayCode == nil)
        try client.say(HostileClient.frame(0, flags: 1, stream: 1, [0x7B, 0x7D]))
        #expect(client.frames.contains { $0.kind == 1 && $0.stream == 1 })
    }

    @Test func `makes excess streams a breach of HTTP/2 once it is acknowledged`() throws {
        var client = try client()
        try client.say(HostileClient.frame(4, flags: 1))
        try client.say(Self.open(1...2))
        #expect(client.goAwayCode == 1)
        let isEnded = client.server.isEnded
        #expect(isEnded)
    }

    @Test func `can be announced by a scenario for load tools`() throws {
        let stage = try ScenarioStage("load")
        var client = try stage.client(warm: false)
        #expect(client.http.peerStreamLimit == 1000)
        #expect(try client.pushAtOnce(100).filter { $0 == "200" }.count == 100)
    }
}
