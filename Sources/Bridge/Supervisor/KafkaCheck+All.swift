internal import Configuration
internal import Delivery
internal import EventLoop
internal import Kafka
internal import Telemetry

/// The check of all connectors together, so that everything that is wrong is reported at once.
extension KafkaCheck {
    /// How long a cluster may take to show topics that were just created.
    private static let patience = Duration.seconds(15)

    /// Checks each connector's cluster, topics and group, and creates missing result topics if that
    /// is asked for.
    ///
    /// A cluster that cannot be reached is the failure of its connectors alone, and so is a group
    /// that the user may not be a member of. Throws everything
    /// that is wrong with any connector if a connector or a topic must be changed.
    static func examine(
        _ connectors: [Connector], creating creation: TopicCreation? = nil, _ logger: Logger
    ) throws(StartFailure) -> [Result<Findings, StartFailure>] {
        let results = reach(connectors)
        var (reached, descriptions): ([Connector], [ClusterDescription]) = ([], [])
        for (connector, result) in zip(connectors, results) {
            guard case .success(let description) = result else { continue }
            reached.append(connector)
            descriptions.append(description)
        }
        var found: [Findings] = []
        do throws(StartFailure) {
            found = try look(for: reached, descriptions, creating: creation, logger)
        } catch {
            throw StartFailure(error.kind, failures(in: results) + error.diagnostics)
        }
        return checkGroups(
            connectors,
            results.map { result in
                switch result {
                case .failure(let failure): .failure(failure)
                case .success: .success(found.removeFirst())
                }
            })
    }

    private static func look(
        for connectors: [Connector], _ descriptions: [ClusterDescription],
        creating creation: TopicCreation?, _ logger: Logger
    ) throws(StartFailure) -> [Findings] {
        var descriptions = descriptions
        if let creation {
            try check(connectors, descriptions)
            let planned = try creation.plan(Array(zip(connectors, descriptions)))
            if !planned.isEmpty {
                try create(planned, logger)
                descriptions = try describe(connectors, having: planned)
            }
        }
        var findings: [Findings] = []
        var problems: [Diagnostic] = []
        for (connector, description) in zip(connectors, descriptions) {
            do throws(StartFailure) {
                findings.append(try evaluate(connector, description))
            } catch {
                problems += error.diagnostics
            }
        }
        guard problems.isEmpty else { throw StartFailure(.configuration, problems) }
        return findings
    }

    /// Asks a connector's cluster.
    typealias Question = @Sendable (Connector) throws(StartFailure) -> ClusterDescription

    /// Asks every cluster, side by side: one that does not respond takes its whole time limit. One
    /// that cannot be reached is asked once, and does not keep the others from being checked.
    static func reach(
        _ connectors: [Connector], asking ask: @escaping Question = { try describe($0) }
    ) -> [Result<ClusterDescription, StartFailure>] {
        let clusters = Dictionary(grouping: connectors.enumerated()) { _, connector in
            KafkaProperties(connector.kafka).addresses
        }
        let found = SideBySide.map(Array(clusters.values)) { cluster in
            zip(cluster.map(\.offset), reach(cluster: cluster.map(\.element), ask))
        }
        return found.joined().sorted { $0.0 < $1.0 }.map(\.1)
    }

    private static func reach(
        cluster connectors: [Connector], _ ask: Question
    ) -> [Result<ClusterDescription, StartFailure>] {
        var unreachable: StartFailure?
        return connectors.map { connector in
            if let unreachable { return .failure(unreachable) }
            do throws(StartFailure) {
                return .success(try ask(connector))
            } catch {
                unreachable = error
                return .failure(error)
            }
        }
    }

    /// The causes of failures, each once.
    private static func failures(
        in results: [Result<ClusterDescription, StartFailure>]
    ) -> [Diagnostic] {
        var causes: [Diagnostic] = []
        for case .failure(let failure) in results {
            causes += failure.diagnostics.filter { !causes.contains($0) }
        }
        return causes
    }

    /// Asks every cluster, and throws unless all respond; `isWanted` tells which keys name topics
    /// to check.
    static func describe(
        _ connectors: [Connector], _ isWanted: (String) -> Bool = { _ in true }
    ) throws(StartFailure) -> [ClusterDescription] {
        let results = reach(connectors)
        let unreachable = failures(in: results)
        var descriptions: [ClusterDescription] = []
        var problems: [Diagnostic] = []
        for (connector, result) in zip(connectors, results) {
            guard case .success(let description) = result else { continue }
            descriptions.append(description)
            problems += topics(of: connector).filter { isWanted($0.setting) }
                .compactMap { problem(of: connector, $0, description) }
        }
        guard !unreachable.isEmpty else { return descriptions }
        throw StartFailure(
            problems.isEmpty ? .unavailable : .configuration, unreachable + problems)
    }

    /// Nothing is created while anything else is wrong.
    private static func check(
        _ connectors: [Connector], _ descriptions: [ClusterDescription]
    ) throws(StartFailure) {
        var problems: [Diagnostic] = []
        for (connector, description) in zip(connectors, descriptions) {
            let others = topics(of: connector).filter {
                !(TopicCreation.creates($0.setting) && description.lacks($0.name))
            }
            problems += others.compactMap { problem(of: connector, $0, description) }
        }
        guard problems.isEmpty else { throw StartFailure(.configuration, problems) }
    }

    /// Creates topics, after Kafka has agreed to all of them. One that another member has created
    /// meanwhile is left as it is.
    private static func create(
        _ planned: [TopicCreation.Planned], _ logger: Logger
    ) throws(StartFailure) {
        for isTrial in [true, false] {
            var problems: [Diagnostic] = []
            for one in planned {
                let failure = try create(one, isTrial: isTrial)
                if let failure, failure.code != "TOPIC_ALREADY_EXISTS" {
                    problems.append(one.problem(failure))
                } else if !isTrial {
                    logger.info(
                        failure == nil ? "topic created" : "topic exists already",
                        metadata: one.metadata)
                }
            }
            guard problems.isEmpty else { throw StartFailure(.configuration, problems) }
        }
    }

    private static func create(
        _ planned: TopicCreation.Planned, isTrial: Bool
    ) throws(StartFailure) -> KafkaFailure? {
        let properties = KafkaProperties(planned.connector.kafka)
        do throws(KafkaFailure) {
            return try TopicAdministration(properties: properties)
                .create([planned.topic], isTrial: isTrial)[planned.topic.name]
        } catch {
            throw unavailable(error, properties, planned.connector.places)
        }
    }

    /// Asks the clusters until they show the topics that were created: a broker learns of them a
    /// little later than the controller.
    private static func describe(
        _ connectors: [Connector], having planned: [TopicCreation.Planned]
    ) throws(StartFailure) -> [ClusterDescription] {
        let start = ContinuousClock.now
        while true {
            let found = try describe(connectors)
            let isMissing = planned.contains { one in
                found.contains { $0.lacks(one.topic.name) }
            }
            if !isMissing || start.duration(to: .now) > patience { return found }
        }
    }
}

extension TopicCreation.Planned {
    fileprivate var metadata: Logger.Metadata {
        var fields: Logger.Metadata = [
            "topic": .string(topic.name), "partitions": .number(topic.partitions),
            "settings": .dictionary(topic.settings.mapValues { .string($0) }),
        ]
        if let replicas = topic.replicas { fields["replication_factor"] = .number(replicas) }
        return fields
    }
}
