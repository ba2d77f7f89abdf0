/// What connectors may not have in common.
extension ConnectorFile {
    /// A retry topic belongs to one connector: another one would send again what is written there,
    /// or its records would be taken for retries.
    static func sharedRetryTopics(_ connectors: [Connector]) -> [Diagnostic] {
        var problems: [Diagnostic] = []
        for connector in connectors {
            guard let topic = connector.results.retry else { continue }
            let other = connectors.first {
                $0.file != connector.file && $0.servers == connector.servers && $0.uses(topic)
            }
            guard let other else { continue }
            problems.append(
                connector.places.error(
                    at: "results.retry",
                    message: "the connector '\(other.name)' uses the topic '\(topic)', too",
                    remedy: "give each connector a retry topic of its own"))
        }
        return problems
    }
}

extension Connector {
    fileprivate var servers: String? { kafka.last { $0.name == "bootstrap.servers" }?.value }

    fileprivate func uses(_ topic: String) -> Bool {
        let topics = [results.outcomes, results.unregistered, results.deadLetter, results.retry]
        return source.topics.contains(topic) || topics.contains(topic)
    }
}
