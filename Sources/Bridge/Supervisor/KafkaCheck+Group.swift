internal import Configuration
internal import Delivery
internal import Kafka
internal import KafkaLogin

/// The check of the right to be a member of a connector's group.
extension KafkaCheck {
    /// Asks what the user may do with a connector's group; nil when this librdkafka cannot.
    typealias GroupQuestion = @Sendable (Connector) throws(KafkaFailure) -> GroupAccess?

    /// How long Kafka may take to say it: a start does not wait long for what it need not know.
    private static let groupTimeoutMilliseconds = 5_000

    /// Fails the connectors whose user may not be a member of their group, side by side.
    ///
    /// The right may be granted while the connector is retried. What Kafka does not say is found
    /// out by the worker that joins.
    static func checkGroups(
        _ connectors: [Connector], _ results: [Result<Findings, StartFailure>],
        asking ask: @escaping GroupQuestion = { connector throws(KafkaFailure) in
            try GroupAccess.read(
                properties: connector.kafkaProperties, group: connector.source.group,
                timeoutMilliseconds: groupTimeoutMilliseconds)
        }
    ) -> [Result<Findings, StartFailure>] {
        Array(zip(connectors, results)).concurrentMap(maxConcurrency: maxConcurrency) {
            connector, result in
            guard case .success = result, isDenied(connector, ask) else { return result }
            let group = connector.source.group
            let problem = connector.locations.error(
                at: "source.group",
                message: "Kafka does not allow this user READ on the group '\(group)'",
                remedy: "grant it READ on the group: kafka-acls.sh --add")
            var failure = StartFailure(.unavailable, problem)
            failure.mayPass = true
            return .failure(failure)
        }
    }

    private static func isDenied(_ connector: Connector, _ ask: GroupQuestion) -> Bool {
        do throws(KafkaFailure) {
            return try ask(connector) == .denied
        } catch {
            // Whoever may read may also describe.
            return error.code == "GROUP_AUTHORIZATION_FAILED"
        }
    }
}
