import Foundation
import Kafka
import Testing

/// A feedback service whose topic has some tokens, and providers that fetch them.
private final class FeedbackStage {
    let tokens: [String]
    private let world: LegacyWorld
    private let service: ServiceProcess

    /// Prepares the unregistered topic, writes so many records to it, and starts the service.
    init(
        _ cluster: BridgeWorld.Cluster, count: Int,
        prepare: (_ topic: String) throws -> Void = { _ in }
    ) throws {
        world = try LegacyWorld(cluster)
        try prepare(world.world.unregistered)
        tokens = (0..<count).map { String(format: "%064x", $0) }
        var writer = try RecordWriter(properties: world.world.properties)
        for token in tokens {
            let value =
                #"{"device_token":"\#(token)","bundle_id":"com.example.shop","#
                + #""environment":"production","reason":"Unregistered","timestamp":null}"#
            try writer.write(
                world.world.unregistered, key: Array(token.utf8), value: Array(value.utf8))
        }
        try writer.flush()
        service = try world.startFeedback()
    }

    /// What a provider receives, sorted, and how its fetch ends.
    func fetch(breakingAfter bytes: Int? = nil) throws -> (tokens: [String], ending: String) {
        let lines = try provider(breakingAfter: bytes).finish().split(separator: "\n")
        return (lines.dropLast().map(String.init).sorted(), String(lines.last ?? ""))
    }

    private func provider(breakingAfter bytes: Int?) throws -> ProviderProcess {
        let certificate = world.path("client.pem")
        guard let bytes else {
            return try world.provider(LegacyScripts.fetching, "\(service.port)", certificate)
        }
        return try world.provider(
            LegacyScripts.fetching, "\(service.port)", certificate, "\(bytes)")
    }

    /// Waits for a line of the service's log.
    func wait(for pattern: Regex<(Substring, Substring)>) throws {
        try service.listen(until: pattern)
    }

    /// Expects that everything comes, once.
    func expectEverything() throws {
        let all = try fetch()
        try #require(all.ending == "end", "\(service.said)")
        #expect(all.tokens == tokens)
        try wait(for: /(feedback fetched)/)
        let nothing = try fetch()
        #expect(nothing.tokens == [])
        #expect(nothing.ending == "end")
        #expect(service.terminate() == 0)
    }
}

@Suite(.serialized) struct `A feedback service on an embedded Kafka` {
    @Test func `reports everything again after a connection that broke on its way`() throws {
        let stage = try FeedbackStage(.embedded(EmbeddedCluster()), count: 20_000)
        let part = try stage.fetch(breakingAfter: 50_000)
        #expect(part.ending == "broken")
        #expect(!part.tokens.isEmpty && part.tokens.count < stage.tokens.count)
        try stage.wait(for: /(feedback fetch not completed)/)
        try stage.expectEverything()
    }

    @Test func `resets the connection without Kafka, and reports everything later`() throws {
        let cluster = try EmbeddedCluster()
        let stage = try FeedbackStage(.embedded(cluster), count: 100)
        cluster.setBrokerDown(1)
        let fetched = try stage.fetch()
        #expect(fetched.tokens == [])
        #expect(fetched.ending == "reset", "an end would say that there are no tokens")
        cluster.setBrokerUp(1)
        try stage.expectEverything()
    }

    @Test func `resets the connection when Kafka falls silent during a fetch`() throws {
        let cluster = try EmbeddedCluster(brokers: 2)
        let stage = try FeedbackStage(.embedded(cluster), count: 6000) { topic in
            for partition in 0..<4 as Range<Int32> {
                try cluster.setLeader(of: topic, partition: partition, broker: partition % 2 + 1)
            }
        }
        // Broker 1 returns its partitions, and broker 2 nothing.
        cluster.delayRequests(api: 1, broker: 2, milliseconds: 600_000)
        let part = try stage.fetch()
        #expect(!part.tokens.isEmpty && part.tokens.count < stage.tokens.count)
        #expect(part.ending == "reset", "an end would say that this is all")
        try stage.expectEverything()
    }
}

@Suite(RealKafka.startable, .serialized)
struct `A feedback service whose Kafka goes away` {
    @Test func `resets the connection, and reports everything after a restart`() throws {
        let kafka = try RealKafka.start()
        let stage = try FeedbackStage(.real(kafka), count: 5000)
        kafka.kill()
        let fetched = try stage.fetch()
        #expect(fetched.tokens == [])
        #expect(fetched.ending == "reset", "an end would say that there are no tokens")
        try kafka.restart()
        try stage.expectEverything()
    }
}
