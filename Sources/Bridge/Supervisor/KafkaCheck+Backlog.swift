internal import Configuration
internal import Delivery
internal import Encoding
internal import Kafka
internal import KafkaLogin
internal import Spelling

/// The check of what a group would send that is new.
extension KafkaCheck {
    /// Asks what a connector's group would read from the beginning of its topics.
    typealias BacklogQuestion = @Sendable (Connector) throws(KafkaFailure) -> GroupBacklog

    /// Finds out what groups would read of partitions without a committed offset, side by side.
    ///
    /// A connector that waits for confirmation must know it; others start without.
    static func findBacklogs(
        _ connectors: [Connector], _ results: [Result<Findings, StartFailure>],
        asking ask: @escaping BacklogQuestion = { connector throws(KafkaFailure) in
            try backlog(of: connector)
        }
    ) -> [Result<Findings, StartFailure>] {
        Array(zip(connectors, results)).concurrentMap(maxConcurrency: maxConcurrency) {
            connector, result in
            guard case .success(var findings) = result, connector.source.start == .earliest else {
                return result
            }
            do throws(KafkaFailure) {
                findings.backlog = try ask(connector)
            } catch {
                guard connector.source.newGroup == .confirm else { return result }
                let properties = connector.kafkaProperties
                return .failure(unavailable(error, properties, connector.locations))
            }
            return .success(findings)
        }
    }

    /// What a connector's group would read from the beginning of its topics.
    static func backlog(
        of connector: Connector, timeoutMilliseconds: Int = 10_000
    ) throws(KafkaFailure) -> GroupBacklog {
        try GroupBacklog.read(
            properties: connector.kafkaProperties, group: connector.source.group,
            topics: connector.source.topics.adding(connector.ownTopics),
            timeoutMilliseconds: timeoutMilliseconds)
    }

    /// Why a running connector must not move to another group: that would send again what the
    /// first one has sent. Nil if it may.
    static func refusal(of connector: Connector, _ findings: Findings) -> Diagnostic? {
        guard connector.source.start == .earliest else { return nil }
        let group = connector.source.group
        guard let backlog = findings.backlog else {
            return connector.locations.error(
                at: "source.group",
                message: "Kafka did not say what the group '\(group)' has committed",
                remedy: "reload again, or keep the group")
        }
        guard backlog.records > 0 else { return nil }
        let partitions = Plural.counted(backlog.partitions, "partition")
        let restart =
            connector.source.newGroup == .confirm
            ? "a restart waits for confirmation" : "a restart would send them"
        return connector.locations.error(
            at: "source.group",
            message: "the group '\(group)' has no offset for \(partitions), and would send"
                + " \(backlog.message)",
            remedy: "give it offsets first, for example with kafka-consumer-groups.sh"
                + " --reset-offsets --to-datetime, or write start: latest; \(restart)")
    }
}

extension GroupBacklog {
    /// True when the group has committed nothing, and its topics hold records.
    var sendsEverything: Bool { isNew && records > 0 }

    /// How many records there are, and since when.
    var message: String {
        let since = oldest.map { Timestamp.text(milliseconds: $0) } ?? "an unknown time"
        return "\(records) records since \(since)"
    }
}
