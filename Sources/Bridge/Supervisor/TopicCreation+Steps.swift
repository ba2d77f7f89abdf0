public import Configuration
internal import Delivery
internal import Kafka
internal import KafkaLogin
public import Telemetry

/// The steps of a creation: Kafka agrees to all topics of a connector before the first is created.
extension TopicCreation {
    /// What a cluster has of the topics of a connector, or why that connector cannot start.
    typealias Reached = Result<ClusterDescription, StartFailure>

    /// How long a cluster may take to show topics that were just created.
    private static let visibilityTimeout = Duration.seconds(15)

    /// Creates what connectors lack, and returns what their clusters have then. A connector with
    /// any other fault has nothing created, and fails alone.
    func create(
        for connectors: [Connector], _ found: [Reached], _ logger: Logger
    ) -> [Reached] {
        var results = zip(connectors, found).map { connector, result in
            result.flatMap { Self.withoutOtherFaults(connector, $0) }
        }
        var created: [Planned] = []
        for isTrial in [true, false] {
            let (topics, conflicts) = plan(Self.reached(connectors, results))
            var failures = conflicts
            for one in topics {
                guard let failure = one.create(isTrial: isTrial, logger) else { continue }
                for (connector, description) in Self.reached(connectors, results)
                where description.lacks(one.topic.name) && one.isInSameCluster(as: connector) {
                    failures[connector.name, default: StartFailure(failure.kind, [])].add(failure)
                }
            }
            results = zip(connectors, results).map { connector, result in
                failures[connector.name].map { .failure($0) } ?? result
            }
            created = topics
        }
        return created.isEmpty ? results : Self.await(created, connectors, results)
    }

    /// Creates what connectors lack in their clusters; throws why some of them cannot have theirs.
    /// Blocks.
    public func createAll(for connectors: [Connector], _ logger: Logger) throws(StartFailure) {
        var failure: StartFailure?
        let results = create(for: connectors, KafkaCheck.reach(connectors), logger)
        for case .failure(let one) in results {
            if failure == nil { failure = one } else { failure?.add(one) }
        }
        if let failure { throw failure }
    }

    /// The connectors whose clusters were reached.
    private static func reached(
        _ connectors: [Connector], _ results: [Reached]
    ) -> [(connector: Connector, found: ClusterDescription)] {
        zip(connectors, results).compactMap { connector, result in
            if case .success(let description) = result { (connector, description) } else { nil }
        }
    }

    /// Nothing is created for a connector while anything else is wrong with its topics.
    private static func withoutOtherFaults(
        _ connector: Connector, _ description: ClusterDescription
    ) -> Reached {
        let problems = KafkaCheck.topics(of: connector)
            .filter { !(creates($0.setting) && description.lacks($0.name)) }
            .compactMap { KafkaCheck.problem(of: connector, $0, description) }
        return problems.isEmpty
            ? .success(description) : .failure(StartFailure(.configuration, problems))
    }

    /// Asks the clusters until they show the topics that were created: a broker learns of them a
    /// little later than the controller.
    private static func await(
        _ created: [Planned], _ connectors: [Connector], _ results: [Reached]
    ) -> [Reached] {
        let start = ContinuousClock.now
        let waiting = reached(connectors, results).map(\.connector)
        while true {
            var found = KafkaCheck.reach(waiting)
            let isMissing = found.contains { result in
                guard case .success(let description) = result else { return false }
                return created.contains { description.lacks($0.topic.name) }
            }
            guard !isMissing || start.duration(to: .now) > visibilityTimeout else { continue }
            return results.map { result in
                if case .success = result { found.removeFirst() } else { result }
            }
        }
    }
}

extension StartFailure {
    /// Adds the causes of another failure.
    fileprivate mutating func add(_ other: StartFailure) {
        if other.kind == .configuration { kind = .configuration }
        mayPass = other.mayPass && kind == .unavailable
        diagnostics += other.diagnostics.filter { !diagnostics.contains($0) }
    }
}

extension TopicCreation.Planned {
    /// Creates the topic, or asks whether Kafka would. One that another member has created
    /// meanwhile is left as it is.
    fileprivate func create(isTrial: Bool, _ logger: Logger) -> StartFailure? {
        let properties = connector.kafkaProperties
        let failure: KafkaFailure?
        do throws(KafkaFailure) {
            failure = try TopicAdministration(properties: properties)
                .create([topic], isTrial: isTrial)[topic.name]
        } catch {
            return KafkaCheck.unavailable(error, properties, connector.locations)
        }
        if let failure, failure.code != "TOPIC_ALREADY_EXISTS" {
            return StartFailure(.configuration, problem(failure))
        }
        if !isTrial {
            logger.info(
                failure == nil ? "topic created" : "topic exists already", metadata: metadata)
        }
        return nil
    }

    fileprivate var metadata: Logger.Metadata {
        var fields: Logger.Metadata = [
            "topic": .string(topic.name), "partitions": .number(topic.partitions),
            "settings": .dictionary(topic.settings.mapValues { .string($0) }),
        ]
        if let replicas = topic.replicas { fields["replication_factor"] = .number(replicas) }
        return fields
    }
}
