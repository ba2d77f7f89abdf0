internal import Configuration
internal import Delivery
internal import EventLoop
internal import Kafka
internal import KafkaLogin
internal import Telemetry

/// The check of all connectors together, so that everything that is wrong is reported at once.
extension KafkaCheck {
    /// Checks each connector's cluster, topics and group, and creates missing result topics if that
    /// is asked for. What is wrong with one connector, or unavailable, is its failure alone.
    static func examine(
        _ connectors: [Connector], creating creation: TopicCreation? = nil, _ logger: Logger
    ) -> [Result<Findings, StartFailure>] {
        for login in connectors.compactMap(\.kafkaLogin) { LoginSource.log(login, to: logger) }
        var reached = reach(connectors)
        if let creation { reached = creation.create(for: connectors, reached, logger) }
        let results = zip(connectors, reached).map { connector, result in
            result.flatMap { description in
                Result { () throws(StartFailure) in try evaluate(connector, description) }
            }
        }
        return findBacklogs(connectors, checkGroups(connectors, results))
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
        let found = Array(clusters.values).concurrentMap(maxConcurrency: maxConcurrency) {
            cluster in zip(cluster.map(\.offset), reach(cluster: cluster.map(\.element), ask))
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

    /// Asks every cluster, and throws unless all respond; `isWanted` says which keys name topics
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
}
