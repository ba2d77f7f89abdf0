import APNsSimulator
import Foundation
import Kafka
import Testing

/// What a gateway promises wherever its Kafka is.
enum LegacyPromises {
    /// Stops the gateway in the middle: what follows is sent again, and everything is there once.
    static func takesEveryPushOnce(_ world: LegacyWorld, count: Int) throws {
        let first = try world.startGateway()
        let provider = try world.provider(
            LegacyScripts.resending, world.path("port"), world.path("client.pem"), "\(count)", "60")
        try provider.listen(until: "half")
        try world.waitFor(1, in: world.world.source)
        #expect(first.terminate() == 0)
        let taken = try world.events().count
        let second = try world.startGateway()
        let message = provider.finish()
        #expect(message.contains("answer 8 10 \(taken - 1)\n"), "\(message)\(first.said)")
        #expect(message.hasSuffix("done\n"))
        try world.waitForAll(count)
        #expect(second.terminate() == 0)
        let found = try world.events().compactMap(\.identifier)
        #expect(found.sorted() == Array(0..<count))
    }

    /// Kills the gateway in the middle: what Kafka has acknowledged is there, and once the provider
    /// has sent again what it sent on that connection, nothing is missing.
    static func losesNothingWhenKilled(_ world: LegacyWorld, count: Int) throws {
        let first = try world.startGateway()
        let provider = try world.provider(
            LegacyScripts.resending, world.path("port"), world.path("client.pem"), "\(count)", "60")
        try provider.listen(until: "half")
        try world.waitFor(1, in: world.world.source)
        first.kill()
        let before = Set(try world.events().compactMap(\.identifier))
        let second = try world.startGateway()
        #expect(provider.finish().hasSuffix("done\n"))
        try world.waitForAll(count)
        #expect(second.terminate() == 0)
        let after = Set(try world.events().compactMap(\.identifier))
        #expect(before.isSubset(of: after))
        #expect(after == Set(0..<count))
    }
}

@Suite(RealKafka.available, .serialized)
struct `A legacy gateway on a real Kafka` {
    private func world() throws -> LegacyWorld {
        try LegacyWorld(.real(try RealKafka.shared()), partitions: 8)
    }

    @Test func `takes every push once when it is stopped on its way`() throws {
        try LegacyPromises.takesEveryPushOnce(try world(), count: 100_000)
    }

    @Test func `loses nothing when it is killed`() throws {
        try LegacyPromises.losesNothingWhenKilled(try world(), count: 100_000)
    }
}

@Suite(.serialized) struct `A legacy gateway on an embedded Kafka` {
    private let cluster: EmbeddedCluster

    init() throws { cluster = try EmbeddedCluster() }

    /// A push with command 0.
    private static let simple =
        "000020" + String(repeating: "ab", count: 32) + "000b7b22617073223a7b7d7d20"

    private func world(limits: String = "{payload: 256}") throws -> LegacyWorld {
        try LegacyWorld(.embedded(cluster), limits: limits)
    }

    @Test func `takes every push once when it is stopped on its way`() throws {
        try LegacyPromises.takesEveryPushOnce(try world(), count: 10_000)
    }

    @Test func `loses nothing when it is killed`() throws {
        try LegacyPromises.losesNothingWhenKilled(try world(), count: 10_000)
    }

    @Test func `stops reading while Kafka is away, and loses nothing`() throws {
        let world = try world(limits: "{in_flight: 500}")
        let gateway = try world.startGateway()
        cluster.setBrokerDown(1)
        let provider = try world.provider(
            LegacyScripts.resending, world.path("port"), world.path("client.pem"), "5000",
            "1")
        try gateway.listen(until: /reading (paused)/)
        cluster.setBrokerUp(1)
        #expect(provider.finish() == "half\ndone\n")
        try world.waitForAll(5000)
        #expect(gateway.terminate() == 0)
        #expect(try world.events().compactMap(\.identifier).sorted() == Array(0..<5000))
    }

    @Test func `answers what is wrong, and closes without a word after command 0`() throws {
        let world = try world()
        let gateway = try world.startGateway()
        let token = String(repeating: "ab", count: 32)
        let message = try world.provider(
            LegacyScripts.saying, world.path("port"), world.path("client.pem"),
            "01000000070000000000" + "00", "0100000008000000000020" + token + "0000",
            "0100000009000000000020" + token + "000178", "03", "0200010001", "000000",
            Self.simple)
        #expect(message.finish() == "8 2 7\n8 4 8\n8 1 9\n8 128 0\n8 128 0\nend\nnothing\n")
        #expect(gateway.terminate() == 0)
        #expect(try world.events().map(\.command) == [0])
    }

    @Test func `takes pushes of a certificate that is named by its fingerprint alone`() throws {
        let world = try LegacyWorld(.embedded(cluster), namesFingerprints: true)
        let gateway = try world.startGateway()
        for certificate in ["client.pem", "stranger.pem"] {
            let message = try world.provider(
                LegacyScripts.saying, world.path("port"), world.path(certificate), Self.simple)
            #expect(message.finish() == (certificate == "client.pem" ? "nothing\n" : ""))
        }
        #expect(gateway.terminate() == 0)
        #expect(try world.events().count == 1)
    }

    @Test func `publishes nothing that follows a push of which Kafka refuses the size`() throws {
        let world = try LegacyWorld(
            .embedded(cluster), limits: "{payload: 4096}",
            kafka: "\n  message.max.bytes: 1200")
        let gateway = try world.startGateway()
        func packet(_ identifier: Int, padding: Int) -> String {
            let payload = #"{"aps":{},"x":"\#(String(repeating: "x", count: padding))"}"#
            return String(format: "01%08x000000000020", identifier)
                + String(repeating: "ab", count: 32) + String(format: "%04x", payload.utf8.count)
                + payload.utf8.map { String(format: "%02x", $0) }.joined()
        }
        let packets = [
            packet(1, padding: 1), packet(2, padding: 2000), packet(3, padding: 1),
        ].joined()
        let provider = try world.provider(
            LegacyScripts.saying, world.path("port"), world.path("client.pem"), packets)
        #expect(provider.finish() == "8 1 2\n")
        #expect(gateway.terminate() == 0)
        #expect(try world.events().map(\.identifier) == [1])
    }

    @Test func `refuses a provider of another app, and names its certificate`() throws {
        let world = try world()
        let gateway = try world.startGateway()
        let provider = try world.provider(
            LegacyScripts.saying + "\n", world.path("port"), world.path("stranger.pem"), "00")
        #expect(provider.finish() == "")
        try gateway.listen(until: /(provider refused: its certificate does not belong to any app)/)
        #expect(gateway.terminate() == 0)
        #expect(gateway.said.contains("com.example.other"))
        #expect(gateway.said.contains("fingerprint="))
    }
}

@Suite(.serialized) struct `The whole way of a legacy provider's push` {
    @Test func `leads to the device, and a dead token comes back by the feedback service`() throws {
        let world = try LegacyWorld(.embedded(try EmbeddedCluster()))
        let gateway = try world.startGateway()
        let feedback = try world.startFeedback()
        let bridge = try world.world.start()
        let tokens = [
            String(repeating: "7", count: 64), "dead" + String(repeating: "7", count: 60),
        ]
        let payload = "7b22617073223a7b22616c657274223a2248656c6c6f227d7d"
        let packets = tokens.map { "01000000010000000000" + "20" + $0 + "0019" + payload }
        let provider = try world.provider(
            LegacyScripts.saying, world.path("port"), world.path("client.pem"), packets[0],
            packets[1])
        #expect(provider.finish() == "nothing\nnothing\n")
        try world.waitFor(2, in: world.world.outcomes)
        #expect(try world.world.readOutcomes().map(\.verdict).sorted() == ["accepted", "rejected"])
        #expect(world.world.simulator.snapshot.accepted == 1)

        func fetch() throws -> [String] {
            try world.provider(
                LegacyScripts.feedback, "-", "\(feedback.port)", world.path("client.pem")
            ).finish().split(separator: "\n").map(String.init)
        }
        let first = try fetch()
        #expect(first.count == 1 && first[0].hasSuffix(" " + tokens[1]), "\(feedback.said)")
        try feedback.listen(until: /(feedback fetched)/)
        #expect(try fetch() == [])
        for service in [gateway, feedback] { #expect(service.terminate() == 0) }
        #expect(bridge.terminate() == 0)
    }
}
