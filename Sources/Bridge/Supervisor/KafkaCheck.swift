internal import Configuration
internal import Delivery
internal import Kafka
internal import KafkaLogin

/// Checks, before anything is consumed, whether Kafka is reachable and has the topics of a
/// connector.
enum KafkaCheck {
    /// More than this many clusters or connectors are not checked at once: each needs a Kafka
    /// client, with threads and connections of its own.
    static let maxConcurrency = 16

    /// The result of the check.
    struct Findings {
        /// The cluster's ID; `-` when it has none.
        var clusterID: String
        /// Warnings about its topics.
        var warnings: [Diagnostic]
        /// The patterns that match no topic for now.
        var unmatched: [String] = []
        /// Why topic settings were not checked; nil when they were.
        var unchecked: KafkaFailure?
        /// True when Kafka keeps only the last outcome of each key: then outcomes go by key.
        var isOutcomesCompacted = false
        /// How results are produced.
        var batching = Batching.oneRequest
        /// What the group would read of partitions without a committed offset; nil where that is
        /// not known, or it starts at their end.
        var backlog: GroupBacklog?
    }

    /// Whether a connector can run with what its cluster has.
    static func evaluate(
        _ connector: Connector, _ description: ClusterDescription
    ) throws(StartFailure) -> Findings {
        let advice = advice(on: connector, description)
        let problems =
            topics(of: connector).compactMap { problem(of: connector, $0, description) }
            + advice.filter { $0.severity == .error }
        guard problems.isEmpty else { throw StartFailure(.configuration, problems) }
        // The embedded Kafka cannot describe settings.
        let failure = description.settingsFailure
        return Findings(
            clusterID: description.clusterID ?? "-",
            warnings: advice,
            unmatched: unmatchedPatterns(of: connector, description),
            unchecked: failure?.code == "_UNSUPPORTED_FEATURE" ? nil : failure,
            isOutcomesCompacted: description.settings[connector.results.outcomes]?.isCompacted
                ?? false,
            batching: description.batching(to: connector.results.outcomes))
    }

    /// Asks a cluster for its ID and for the connector's topics, whatever their state.
    static func describe(
        _ connector: Connector, timeoutMilliseconds: Int = 15_000
    ) throws(StartFailure) -> ClusterDescription {
        let properties = connector.kafkaProperties
        do throws(KafkaFailure) {
            return try ClusterInspection.describe(
                properties: properties, topics: topics(of: connector).map(\.name),
                patterns: connector.source.topics.patterns,
                timeoutMilliseconds: timeoutMilliseconds)
        } catch {
            throw unavailable(error, properties, connector.locations)
        }
    }

    /// What is wrong with a topic; nil when it can be used.
    static func problem(
        of connector: Connector, _ topic: (setting: String, name: String),
        _ description: ClusterDescription
    ) -> Diagnostic? {
        guard case .failed(let failure)? = description.topics[topic.name] else { return nil }
        guard failure.code == "UNKNOWN_TOPIC_OR_PART" else {
            return problem(topic, failure, connector.kafkaProperties, connector.locations)
        }
        let choice =
            TopicCreation.creates(topic.setting)
            ? ", or run 'apns-bridge create-topics' with this file, or start with --create-topics"
            : ""
        return connector.locations.error(
            at: topic.setting, message: "Kafka has no topic '\(topic.name)'",
            remedy: "create it: "
                + TopicCreation().command(for: topic, of: connector, description) + choice)
    }

    /// What should be changed about topics that exist.
    static func advice(
        on connector: Connector, _ description: ClusterDescription
    ) -> [Diagnostic] {
        warnings(connector, description)
            + TopicAdvice(connector, description.settings).findings
    }

    /// One partition receives what many partitions produce, just when much goes wrong.
    static func warnings(
        _ connector: Connector, _ found: ClusterDescription
    ) -> [Diagnostic] {
        func partitions(_ topic: String) -> Int { found.topics[topic]?.partitionCount ?? 0 }
        let sources = found.sources(of: connector).map(partitions).reduce(0, +)
        let topic = connector.results.deadLetter
        guard partitions(topic) == 1, sources > 1 else { return [] }
        let warning = connector.locations.warning(
            at: "results.dead_letter",
            message: "the topic '\(topic)' has one partition, and the sources have \(sources): "
                + "a burst of dead letters would queue for a single broker",
            remedy: "add partitions: kafka-topics.sh --bootstrap-server "
                + "\(KafkaProperties(connector.kafka).addresses) --alter --topic \(topic)"
                + " --partitions \(min(sources, TopicCreation.fewPartitions))")
        return [warning]
    }

    /// The patterns of a connector that match no topic for now.
    static func unmatchedPatterns(
        of connector: Connector, _ found: ClusterDescription
    ) -> [String] {
        let patterns = connector.source.topics.patterns.filter { pattern in
            !found.sources(of: connector).contains(where: pattern.matches)
        }
        return patterns.map(\.text)
    }

    /// The topics that a connector names, each with the setting that names it.
    static func topics(of connector: Connector) -> [(setting: String, name: String)] {
        connector.source.topics.names.map { ("source.topics.\($0)", $0) } + [
            ("results.outcomes", connector.results.outcomes),
            ("results.unregistered", connector.results.unregistered),
            ("results.dead_letter", connector.results.deadLetter),
        ] + (connector.results.retry.map { [("results.retry", $0)] } ?? [])
            + (connector.source.replay.map { [("source.replay", $0)] } ?? [])
    }

    private static func problem(
        _ topic: (setting: String, name: String), _ failure: KafkaFailure,
        _ properties: KafkaProperties, _ locations: SettingLocations
    ) -> Diagnostic {
        let message: String
        let remedy: String
        switch failure.code {
        case "TOPIC_AUTHORIZATION_FAILED":
            message = "Kafka does not allow this user to describe the topic '\(topic.name)'"
            let right =
                switch topic.setting {
                case "results.retry": "READ and WRITE"
                case "source.replay": "READ, and WRITE for 'apns-bridge replay'"
                case let name: name.hasPrefix("source.") ? "READ" : "WRITE"
                }
            remedy = "grant it DESCRIBE and \(right): kafka-acls.sh --add"
        default:
            message = "topic '\(topic.name)' cannot be used: \(failure.detail) (\(failure.code))"
            remedy =
                "inspect it: kafka-topics.sh --bootstrap-server \(properties.addresses)"
                + " --describe --topic \(topic.name)"
        }
        return locations.error(at: topic.setting, message: message, remedy: remedy)
    }

    static func unavailable(
        _ failure: KafkaFailure, _ properties: KafkaProperties, _ locations: SettingLocations
    ) -> StartFailure {
        // A broker's error contains its address; a timeout does not.
        let address = failure.code == "_TIMED_OUT" ? " at \(properties.addresses)" : ""
        let problem = locations.error(
            at: "kafka.bootstrap.servers", "kafka.metadata.broker.list", "kafka",
            message: "no connection to Kafka\(address): \(failure.detail)",
            remedy: remedy(for: failure, properties))
        var unavailable = StartFailure(.unavailable, problem)
        unavailable.mayPass = mayPass(failure)
        return unavailable
    }

    /// What to do where SCRAM fails with the right password; empty where it does not.
    static func scramAdvice(_ properties: KafkaProperties, isStrict: Bool) -> String {
        let mechanism = properties["sasl.mechanism"] ?? properties["sasl.mechanisms"] ?? ""
        guard !isStrict, mechanism.hasPrefix("SCRAM-") else { return "" }
        return "; with the right password, Kafka 4 refuses \(mechanism) of librdkafka"
            + " \(KafkaLibrary.version): install 2.6.1 or newer, or use PLAIN or a client"
            + " certificate over TLS"
    }

    /// False for what only a change of the configuration ends.
    private static func mayPass(_ failure: KafkaFailure) -> Bool {
        if failure.isAboutResources || failure.waitsForLogin { return true }
        guard failure.isAboutConnection || failure.code == "_TIMED_OUT" else { return false }
        return !failure.detail.contains("security.protocol")
            && !failure.detail.contains("ApiVersion")
    }

    private static func remedy(for failure: KafkaFailure, _ properties: KafkaProperties) -> String {
        switch failure.code {
        case _ where failure.isAboutResources: StartFailure.resourcesRemedy
        case "_AUTHENTICATION" where properties.tokens != nil:
            "check kafka_login: 'apns-bridge doctor' asks for a token; if there is one, check what"
                + " the brokers accept"
        case "_AUTHENTICATION", "SASL_AUTHENTICATION_FAILED":
            "check sasl.mechanism, sasl.username and sasl.password"
                + scramAdvice(properties, isStrict: KafkaLibrary.hasStrictSCRAM)
        case "_SSL":
            "check security.protocol and ssl.ca.location, and that this is the TLS port"
        case "_RESOLVE":
            "check the host name in bootstrap.servers"
        default:
            if failure.detail.contains("refused") {
                "start Kafka there, or correct the address in bootstrap.servers"
            } else if failure.detail.contains("security.protocol")
                || failure.detail.contains("ApiVersion")
            {
                "check that this is a Kafka port; for a TLS port write security.protocol: ssl"
            } else {
                "check that Kafka is running there, and that no firewall blocks it"
            }
        }
    }
}

extension ClusterDescription {
    /// The topics of events that a connector reads: those that it names, and those that match its
    /// patterns.
    func sources(of connector: Connector) -> [String] {
        connector.source.topics.names + connector.source.topics.matching(matching)
    }
}
