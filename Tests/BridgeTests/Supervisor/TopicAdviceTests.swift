import BridgeSamples
import Configuration
import Delivery
import Engine
import Kafka
import Testing

@testable import Bridge

@Suite struct `One partition for dead letters` {
    private func warnings(sources: Int, deadLetters: Int) throws -> [String] {
        let connector = try Samples.connector(plan: Samples.canonicalPlan())
        return KafkaCheck.warnings(
            connector,
            ClusterDescription(
                clusterID: nil,
                topics: [
                    "shop.orders": .partitions(sources),
                    "apns.dead-letter": .partitions(deadLetters),
                ])
        ).map(\.message)
    }

    @Test func `is a warning if the sources have more`() throws {
        #expect(
            try warnings(sources: 12, deadLetters: 1) == [
                "the topic 'apns.dead-letter' has one partition, and the sources have 12: "
                    + "a burst of dead letters would queue for a single broker"
            ])
    }

    @Test(arguments: [(1, 1), (12, 2)])
    func `is fine if it has as many`(sources: Int, deadLetters: Int) throws {
        #expect(try warnings(sources: sources, deadLetters: deadLetters) == [])
    }
}

@Suite struct `The settings of the topics` {
    private func findings(
        _ settings: [String: TopicSettings], _ change: (inout Connector) -> Void = { _ in }
    ) throws -> [Diagnostic] {
        var connector = try Samples.connector(plan: Samples.canonicalPlan())
        connector.results.retry = "apns.retry"
        change(&connector)
        return TopicAdvice(connector, settings).findings
    }

    private let good: [String: TopicSettings] = [
        "apns.outcomes": TopicSettings(replicas: 3, minInSyncReplicas: 2),
        "apns.unregistered": TopicSettings(replicas: 3, minInSyncReplicas: 2, isCompacted: true),
        "apns.dead-letter": TopicSettings(),
        "apns.retry": TopicSettings(retention: 604_800_000),
    ]

    @Test func `cause no warning if they are sound or unknown`() throws {
        #expect(try findings(good).isEmpty)
        #expect(try findings([:]).isEmpty)
    }

    @Test func `cause a warning if one broker's acknowledgement is enough`() throws {
        var settings = good
        settings["apns.dead-letter"] = TopicSettings(replicas: 3, minInSyncReplicas: 1)
        let found = try findings(settings)
        #expect(found.map(\.severity) == [.warning])
        #expect(found.first?.message.contains("'apns.dead-letter' has 3 replicas") == true)
        #expect(
            found.first?.remedy?.hasSuffix(
                "--entity-name apns.dead-letter --add-config min.insync.replicas=2") == true)
    }

    @Test func `cause an error if compaction would remove pushes that wait for a retry`() throws {
        var settings = good
        settings["apns.retry"]?.isCompacted = true
        let found = try findings(settings)
        #expect(found.map(\.severity) == [.error])
        #expect(
            found.first?.remedy?.hasSuffix(
                "--entity-name apns.retry --add-config cleanup.policy=delete") == true)
    }

    @Test func `cause a warning if outcomes would replace each other or tokens be lost`()
        throws
    {
        var settings = good
        settings["apns.outcomes"]?.isCompacted = true
        settings["apns.unregistered"]?.isCompacted = false
        let found = try findings(settings)
        #expect(found.map(\.severity) == [.warning, .warning])
        #expect(found.first?.message.contains("'apns.outcomes' is compacted") == true)
        #expect(found.first?.message.contains("the partition of their key") == true)
        #expect(found.last?.message.contains("'apns.unregistered' is not compacted") == true)
    }

    @Test(
        arguments: [
            ("apns.replay", nil, "without a time limit", "sends all replayed pushes again"),
            ("apns.replay", 604_800_001, "for 604800 s", "sends all replayed pushes again"),
            ("apns.retry", nil, "without a time limit", "repeats finished retries"),
        ] as [(String, Int64?, String, String)])
    func `cause a warning if the connector's own topics keep records longer than its offsets`(
        topic: String, retention: Int64?, time: String, harm: String
    ) throws {
        var settings = good
        settings["apns.replay"] = TopicSettings(retention: 604_800_000)
        #expect(try findings(settings) { $0.source.replay = "apns.replay" }.isEmpty)
        settings[topic]?.retention = retention
        let found = try findings(settings) { $0.source.replay = "apns.replay" }
        #expect(found.map(\.severity) == [.warning])
        let message = try #require(found.first?.message)
        #expect(message.hasPrefix("the topic '\(topic)' keeps records \(time): a group without"))
        #expect(message.hasSuffix("reads it from its beginning and \(harm)"))
        #expect(
            found.first?.remedy?.hasSuffix(
                "--entity-name \(topic) --add-config retention.ms=604800000") == true)
    }

    @Test func `cause no warning if retries are kept for twice give_up_after`() throws {
        var settings = good
        settings["apns.retry"]?.retention = 1_209_600_000
        #expect(
            try findings(settings) { $0.delivery.retry.giveUpAfter = .seconds(604_800) }.isEmpty)
    }

    @Test func `cause a warning if retention is shorter than give_up_after`()
        throws
    {
        var settings = good
        settings["apns.retry"]?.retention = 60_000
        let found = try findings(settings)
        #expect(found.map(\.severity) == [.warning])
        #expect(found.first?.remedy?.hasSuffix("--add-config retention.ms=3600000") == true)
        #expect(
            try findings(settings) { $0.delivery.retry.giveUpAfter = .seconds(30) }
                .isEmpty)
    }
}
