/// What connectors may not have in common.
extension ConnectorFile {
    /// The problems of connectors that are each in order and do not go together.
    static func conflicts(_ connectors: [Connector]) -> [Diagnostic] {
        connectors.flatMap { connector in
            let others = connectors.filter {
                $0.file != connector.file && $0.name != connector.name
                    && !$0.brokers.isDisjoint(with: connector.brokers)
            }
            return [sharedGroup(of: connector, others), sharedRetryTopic(of: connector, others)]
                .compactMap { $0 }
        }
    }

    /// Members of one group share its partitions: what one connector is assigned, another one with
    /// the same topic never sees.
    private static func sharedGroup(
        of connector: Connector, _ others: [Connector]
    ) -> Diagnostic? {
        let group = connector.source.group
        let others = others.filter { $0.source.group == group }
        let remedy = "give each connector a group of its own"
        for other in others {
            let shared = connector.source.topics.first { other.source.topics.contains($0) }
            guard let shared else { continue }
            return connector.places.error(
                at: "source.group",
                message: "the connector '\(other.name)' reads the topic '\(shared)' with the same "
                    + "group '\(group)': each would receive only some of the events",
                remedy: remedy)
        }
        return others.first.map { other in
            connector.places.warning(
                at: "source.group",
                message: "the connector '\(other.name)' has the same group '\(group)': "
                    + "a rebalance of either one interrupts both",
                remedy: remedy)
        }
    }

    /// A retry topic belongs to one connector: another one would send again what is written there,
    /// or its records would be taken for retries.
    private static func sharedRetryTopic(
        of connector: Connector, _ others: [Connector]
    ) -> Diagnostic? {
        guard let topic = connector.results.retry,
            let other = others.first(where: { $0.uses(topic) })
        else { return nil }
        return connector.places.error(
            at: "results.retry",
            message: "the connector '\(other.name)' also uses the topic '\(topic)'",
            remedy: "give each connector a retry topic of its own")
    }
}

extension Connector {
    /// The addresses of the brokers: one in common makes two clusters the same.
    fileprivate var brokers: Set<String> {
        let addresses = kafka.last { $0.name == "bootstrap.servers" }?.value ?? ""
        return Set(addresses.split { $0 == "," || $0 == " " }.map(String.init))
    }

    fileprivate func uses(_ topic: String) -> Bool {
        let topics = [results.outcomes, results.unregistered, results.deadLetter, results.retry]
        return source.topics.contains(topic) || topics.contains(topic)
    }
}
