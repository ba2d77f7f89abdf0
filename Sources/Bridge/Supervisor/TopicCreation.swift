internal import Configuration
internal import Delivery
internal import Kafka

/// The result topics that connectors lack, and how to create them; topics that exist are left as
/// they are.
public struct TopicCreation: Sendable {
    /// The replication factor of new topics; nil for the broker's default.
    public var replicationFactor: Int?

    /// Creates topics with this replication factor.
    public init(replicationFactor: Int? = nil) { self.replicationFactor = replicationFactor }

    /// A topic to create.
    struct Planned {
        /// The first connector that needs it.
        var connector: Connector
        /// The key that names it.
        var setting: String
        var topic: NewTopic
    }

    /// The most partitions of topics that receive little, and what to give a topic whose number
    /// nothing determines.
    static let fewPartitions = 8
    /// Kafka's default retention, of records and of the offsets of a group without members, in
    /// milliseconds.
    static let defaultRetention: Int64 = 604_800_000

    /// How long dead letters are kept, in milliseconds: 30 days. Nobody replays an older event, and
    /// a broker whose disk is full stops everything.
    static let deadLetterRetention: Int64 = 2_592_000_000

    /// How long a topic that the connector itself reads keeps records, in milliseconds: a group
    /// without offsets reads it from its beginning and sends all of them again.
    static func retention(of setting: String, _ connector: Connector) -> Int64 {
        guard setting == "results.retry" else { return defaultRetention }
        return max(defaultRetention, 2 * connector.delivery.retry.giveUpAfter.milliseconds)
    }

    /// The missing result topics of connectors, each once, and which connectors, by name, cannot
    /// have theirs.
    func plan(
        _ connectors: [(connector: Connector, found: ClusterDescription)]
    ) -> (topics: [Planned], conflicts: [String: StartFailure]) {
        var planned: [Planned] = []
        var conflicts: [String: StartFailure] = [:]
        for (connector, found) in connectors {
            for new in plan(connector, found) {
                let known = planned.firstIndex {
                    $0.topic.name == new.topic.name && $0.isInSameCluster(as: connector)
                }
                guard let known else {
                    planned.append(new)
                    continue
                }
                if planned[known].setting == new.setting {
                    planned[known].combine(with: new.topic)
                } else {
                    conflicts[connector.name, default: StartFailure(.configuration, [])]
                        .diagnostics.append(Self.conflict(planned[known], new))
                }
            }
        }
        return (planned, conflicts)
    }

    /// True for topics that the product alone writes, by the key that names them.
    static func creates(_ setting: String) -> Bool {
        setting.hasPrefix("results.") || setting == "source.replay"
    }

    /// The command that creates a missing topic as `create-topics` does, or, if it has events, as
    /// its owner may.
    func command(
        for topic: (setting: String, name: String), of connector: Connector,
        _ found: ClusterDescription
    ) -> String {
        let planned = plan(connector, found).first { $0.setting == topic.setting }
        let other = NewTopic(
            topic.name, partitions: Self.fewPartitions, replicas: replicationFactor)
        return (planned ?? Planned(connector: connector, setting: topic.setting, topic: other))
            .command
    }

    private func plan(_ connector: Connector, _ found: ClusterDescription) -> [Planned] {
        let counts = found.sources(of: connector).map { source in
            // It has those soon that its error suggests.
            found.lacks(source)
                ? Self.fewPartitions : found.topics[source]?.partitionCount ?? 0
        }
        let unknown = connector.source.hasPatterns ? Self.fewPartitions : 1
        let sources = max(1, counts.max() ?? unknown)
        return KafkaCheck.topics(of: connector).compactMap { setting, name in
            guard Self.creates(setting), found.lacks(name) else { return nil }
            var topic = NewTopic(name, partitions: sources, replicas: replicationFactor)
            switch setting {
            case "results.unregistered":
                topic.partitions = min(sources, Self.fewPartitions)
                topic.settings = ["cleanup.policy": "compact"]
            case "results.dead_letter":
                topic.partitions = min(sources, Self.fewPartitions)
                topic.settings = [
                    "cleanup.policy": "delete", "retention.ms": "\(Self.deadLetterRetention)",
                    "retention.bytes": "-1",
                ]
            case "source.replay", "results.retry":
                if setting == "source.replay" {
                    topic.partitions = min(sources, Self.fewPartitions)
                }
                topic.settings = [
                    "cleanup.policy": "delete",
                    "retention.ms": "\(Self.retention(of: setting, connector))",
                    "retention.bytes": "-1",
                ]
            default: topic.settings = ["cleanup.policy": "delete"]
            }
            if let replicationFactor, replicationFactor >= 3 {
                topic.settings["min.insync.replicas"] = "2"
            }
            return Planned(connector: connector, setting: setting, topic: topic)
        }
    }

    private static func conflict(_ first: Planned, _ second: Planned) -> Diagnostic {
        second.connector.locations.error(
            at: second.setting,
            message: "the topic '\(second.topic.name)' is \(first.setting) of"
                + " \(first.connector.name) and cannot be \(second.setting) as well",
            remedy: "give each of them a topic of its own")
    }
}

extension TopicCreation.Planned {
    func isInSameCluster(as other: Connector) -> Bool {
        KafkaProperties(connector.kafka).addresses == KafkaProperties(other.kafka).addresses
    }

    /// Connectors share the topic: it suits all of them.
    fileprivate mutating func combine(with other: NewTopic) {
        topic.partitions = max(topic.partitions, other.partitions)
        for (name, value) in other.settings {
            let number = Int64(value) ?? 0
            if number > Int64(topic.settings[name] ?? "") ?? .max { topic.settings[name] = value }
        }
    }

    /// What is wrong when Kafka does not create it.
    func problem(_ failure: KafkaFailure) -> Diagnostic {
        let name = topic.name
        let message: String
        let remedy: String
        switch failure.code {
        case "TOPIC_AUTHORIZATION_FAILED", "CLUSTER_AUTHORIZATION_FAILED":
            message = "Kafka does not allow this user to create the topic '\(name)'"
            remedy =
                "grant it CREATE on the topic: kafka-acls.sh --add --operation Create"
                + " --topic \(name), or have an administrator create it: \(command)"
        case "INVALID_REPLICATION_FACTOR":
            message = "Kafka cannot create the topic '\(name)': \(failure.detail)"
            remedy = "write --replication-factor with at most the number of brokers"
        case "POLICY_VIOLATION":
            message = "Kafka's policy does not allow the topic '\(name)': \(failure.detail)"
            remedy = "have an administrator create it: \(command)"
        default:
            message = "Kafka cannot create the topic '\(name)': \(failure.detail) (\(failure.code))"
            remedy = "create it yourself: \(command)"
        }
        return connector.locations.error(at: setting, message: message, remedy: remedy)
    }

    /// The command that creates it.
    var command: String {
        let factor = topic.replicas.map { " --replication-factor \($0)" } ?? ""
        return "kafka-topics.sh --bootstrap-server \(KafkaProperties(connector.kafka).addresses)"
            + " --create --topic \(topic.name) --partitions \(topic.partitions)\(factor)"
            + topic.settings.sorted { $0.key < $1.key }
            .map { " --config \($0.key)=\($0.value)" }.joined()
    }
}

extension ClusterDescription {
    /// True when the cluster says that it has no such topic.
    func lacks(_ topic: String) -> Bool {
        if case .failed(let failure)? = topics[topic] {
            return failure.code == "UNKNOWN_TOPIC_OR_PART"
        }
        return false
    }
}
