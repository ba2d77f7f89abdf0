import BridgeSamples
import Configuration
import Delivery
import Kafka
import Testing

@testable import Bridge

@Suite struct `The result topics that are created` {
    private static let missing = ClusterDescription.Topic.failed(
        KafkaFailure(code: "UNKNOWN_TOPIC_OR_PART", detail: "unknown"))

    private func connector(_ change: (inout Connector) -> Void = { _ in }) throws -> Connector {
        var connector = try Samples.connector(plan: Samples.canonicalPlan())
        connector.results.retry = "apns.retry"
        change(&connector)
        return connector
    }

    private func cluster(
        partitions: Int = 12, having topics: [String] = [], _ names: [String]? = nil
    ) -> ClusterDescription {
        let results = ["apns.outcomes", "apns.unregistered", "apns.dead-letter", "apns.retry"]
        var found: [String: ClusterDescription.Topic] = ["shop.orders": .partitions(partitions)]
        for name in names ?? results {
            found[name] = topics.contains(name) ? .partitions(1) : Self.missing
        }
        return ClusterDescription(clusterID: "K", topics: found)
    }

    @Test func `suit what is written to each of them`() throws {
        let planned = TopicCreation().plan([(try connector(), cluster())]).topics
        #expect(
            planned.map(\.topic) == [
                NewTopic("apns.outcomes", partitions: 12, settings: ["cleanup.policy": "delete"]),
                NewTopic(
                    "apns.unregistered", partitions: 8, settings: ["cleanup.policy": "compact"]),
                NewTopic(
                    "apns.dead-letter", partitions: 8,
                    settings: [
                        "cleanup.policy": "delete", "retention.ms": "2592000000",
                        "retention.bytes": "-1",
                    ]),
                NewTopic(
                    "apns.retry", partitions: 12,
                    settings: [
                        "cleanup.policy": "delete", "retention.ms": "604800000",
                        "retention.bytes": "-1",
                    ]),
            ])
    }

    @Test func `keep replays no longer than Kafka keeps the offsets of a stopped group`() throws {
        let replaying = try connector { $0.source.replay = "apns.replay" }
        let found = cluster(having: [], ["apns.replay"])
        let planned = TopicCreation().plan([(replaying, found)]).topics
        #expect(
            planned.map(\.topic) == [
                NewTopic(
                    "apns.replay", partitions: 8,
                    settings: [
                        "cleanup.policy": "delete", "retention.ms": "604800000",
                        "retention.bytes": "-1",
                    ])
            ])
    }

    @Test func `keep retries at least twice as long as they may wait`() throws {
        let slow = try connector { $0.delivery.retry.giveUpAfter = .seconds(86_400 * 7) }
        let planned = TopicCreation().plan([(slow, cluster())]).topics
        #expect(planned.last?.topic.settings["retention.ms"] == "1209600000")
    }

    @Test(arguments: [(nil, nil), (1, nil), (2, nil), (3, "2")] as [(Int?, String?)])
    func `need two replicas for each record if there are three`(
        factor: Int?, wanted: String?
    ) throws {
        let planned = TopicCreation(replicationFactor: factor)
            .plan([(try connector(), cluster())]).topics
        #expect(planned.allSatisfy { $0.topic.replicas == factor })
        #expect(planned.allSatisfy { $0.topic.settings["min.insync.replicas"] == wanted })
    }

    @Test func `are only those that are missing, and never source topics`() throws {
        let found = cluster(having: ["apns.outcomes", "apns.retry"])
        let planned = TopicCreation().plan([(try connector(), found)]).topics
        #expect(planned.map(\.topic.name) == ["apns.unregistered", "apns.dead-letter"])
        var denied = cluster(having: ["apns.outcomes", "apns.unregistered", "apns.retry"])
        denied.topics["apns.dead-letter"] = .failed(
            KafkaFailure(code: "TOPIC_AUTHORIZATION_FAILED", detail: "no"))
        denied.topics["shop.orders"] = Self.missing
        #expect(TopicCreation().plan([(try connector(), denied)]).topics.isEmpty)
    }

    @Test func `have as many partitions as the largest topic that matches a pattern`() throws {
        let reading = try connector { $0.source.topics = ["^shop\\..*"] }
        var found = cluster(partitions: 3)
        found.topics["shop.more"] = .partitions(20)
        found.matching = ["shop.more", "shop.orders"]
        let planned = TopicCreation().plan([(reading, found)]).topics
        #expect(planned.map(\.topic.partitions) == [20, 8, 8, 20])
        var none = cluster()
        none.topics["shop.orders"] = nil
        let fewer = TopicCreation().plan([(reading, none)]).topics
        #expect(fewer.map(\.topic.partitions) == [8, 8, 8, 8])
    }

    @Test func `are created once where connectors share them, and suit each of them`() throws {
        let other = try connector {
            $0.name = "chat"
            $0.delivery.retry.giveUpAfter = .seconds(86_400 * 7)
        }
        let planned = TopicCreation().plan([
            (try connector(), cluster(partitions: 2)), (other, cluster(partitions: 6)),
        ]).topics
        #expect(planned.map(\.topic.partitions) == [6, 6, 6, 6])
        #expect(planned.last?.topic.settings["retention.ms"] == "1209600000")
        #expect(planned.map(\.connector.name) == Array(repeating: "orders", count: 4))
    }

    @Test func `cannot serve two purposes`() throws {
        let other = try connector {
            $0.name = "chat"
            $0.results.unregistered = "apns.outcomes"
            $0.results.outcomes = "apns.unregistered"
        }
        let conflicts = TopicCreation().plan([(try connector(), cluster()), (other, cluster())])
            .conflicts
        #expect(Array(conflicts.keys) == ["chat"])
        let failure = conflicts["chat"]
        #expect(failure?.kind == .configuration)
        #expect(
            failure?.diagnostics.map(\.message) == [
                "the topic 'apns.unregistered' is results.unregistered of orders and cannot be"
                    + " results.outcomes as well",
                "the topic 'apns.outcomes' is results.outcomes of orders and cannot be"
                    + " results.unregistered as well",
            ])
    }

    @Test func `are created by the command in the error about each of them`() throws {
        let reading = try connector()
        let found = cluster(partitions: 5)
        let planned = TopicCreation().plan([(reading, found)]).topics
        #expect(planned.map(\.topic.partitions) == [5, 5, 5, 5])
        for topic in planned {
            let problem = KafkaCheck.problem(
                of: reading, (topic.setting, topic.topic.name), found)
            #expect(
                problem?.remedy == "create it: \(topic.command), or run 'apns-bridge create-topics'"
                    + " with this file, or start with --create-topics")
        }
    }

    @Test func `have as many partitions as the error suggests for a missing source topic`() throws {
        let reading = try connector()
        var found = cluster()
        found.topics["shop.orders"] = Self.missing
        let topics = [
            ("source.topics.shop.orders", "shop.orders"), ("results.outcomes", "apns.outcomes"),
        ]
        for topic in topics {
            let problem = KafkaCheck.problem(of: reading, topic, found)
            let remedy = try #require(problem?.remedy)
            #expect(remedy.contains(" --topic \(topic.1) --partitions 8"), "\(remedy)")
        }
    }

    private static let command =
        "kafka-topics.sh --bootstrap-server (no bootstrap.servers) --create --topic apns.outcomes"
        + " --partitions 12 --replication-factor 3 --config cleanup.policy=delete"
        + " --config min.insync.replicas=2"

    @Test(arguments: [
        (
            "TOPIC_AUTHORIZATION_FAILED", "",
            "Kafka does not allow this user to create the topic 'apns.outcomes'",
            "grant it CREATE on the topic: kafka-acls.sh --add --operation Create --topic"
                + " apns.outcomes, or have an administrator create it: \(command)"
        ),
        (
            "INVALID_REPLICATION_FACTOR", "3 replicas, 1 broker",
            "Kafka cannot create the topic 'apns.outcomes': 3 replicas, 1 broker",
            "write --replication-factor with at most the number of brokers"
        ),
        (
            "POLICY_VIOLATION", "names begin with a team",
            "Kafka's policy does not allow the topic 'apns.outcomes': names begin with a team",
            "have an administrator create it: \(command)"
        ),
        (
            "NOT_CONTROLLER", "try again",
            "Kafka cannot create the topic 'apns.outcomes': try again (NOT_CONTROLLER)",
            "create it yourself: \(command)"
        ),
    ])
    func `are explained where Kafka refuses them`(
        code: String, detail: String, message: String, remedy: String
    ) throws {
        let planned = TopicCreation(replicationFactor: 3)
            .plan([(try connector(), cluster())]).topics
        let problem = planned[0].problem(KafkaFailure(code: code, detail: detail))
        #expect(problem.message == message)
        #expect(problem.remedy == remedy)
        #expect(problem.file == "connectors/orders.yaml" || problem.severity == .error)
    }
}
