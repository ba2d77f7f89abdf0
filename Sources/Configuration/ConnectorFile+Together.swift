internal import Kafka

/// What several connectors must not share.
extension ConnectorFile {
    /// Problems between connectors that are valid individually.
    static func conflicts(_ connectors: [Connector]) -> [Diagnostic] {
        connectors.flatMap { connector in
            let others = connectors.filter {
                $0.file != connector.file && $0.name != connector.name
                    && !$0.brokers.isDisjoint(with: connector.brokers)
            }
            return [
                sharedGroup(of: connector, others),
                shared("retry", at: "results.retry", connector.results.retry, connector, others),
                shared("replay", at: "source.replay", connector.source.replay, connector, others),
            ].compactMap { $0 }
        }
    }

    /// The members of a group share its partitions: events assigned to one connector never reach
    /// another one with the same topic.
    private static func sharedGroup(
        of connector: Connector, _ others: [Connector]
    ) -> Diagnostic? {
        let group = connector.source.group
        let others = others.filter { $0.source.group == group }
        let remedy = "give each connector a group of its own"
        for other in others {
            let shared = connector.source.topics.shared(with: other.source.topics)
            guard let shared else { continue }
            return connector.locations.error(
                at: "source.group",
                message: "the connector '\(other.name)' reads the topic '\(shared)' with the same "
                    + "group '\(group)': each would receive only some of the events",
                remedy: remedy)
        }
        return others.first.map { other in
            connector.locations.warning(
                at: "source.group",
                message: "the connector '\(other.name)' has the same group '\(group)': "
                    + "a rebalance of either one interrupts both",
                remedy: remedy)
        }
    }

    /// A retry or replay topic belongs to one connector: another one would send its records, or
    /// have its own taken for retries.
    private static func shared(
        _ kind: String, at setting: String, _ topic: String?, _ connector: Connector,
        _ others: [Connector]
    ) -> Diagnostic? {
        guard let topic, let other = others.first(where: { $0.uses(topic) }) else { return nil }
        return connector.locations.error(
            at: setting, message: "the connector '\(other.name)' also uses the topic '\(topic)'",
            remedy: "give each connector a \(kind) topic of its own")
    }
}

extension Connector {
    /// The addresses of the brokers: clusters with a common address are the same.
    fileprivate var brokers: Set<String> {
        let addresses = kafka.last { $0.name == "bootstrap.servers" }?.value ?? ""
        return Set(addresses.split { $0 == "," || $0 == " " }.map(String.init))
    }

    /// The topics that it alone consumes beside its sources: of retries and of replays.
    public var ownTopics: [String] { [results.retry, source.replay].compactMap { $0 } }

    fileprivate func uses(_ topic: String) -> Bool {
        source.topics.matches(topic) || topic == source.replay || results.topics.contains(topic)
    }
}
