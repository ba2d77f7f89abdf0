internal import Configuration
internal import Delivery
internal import Kafka

/// Warnings about the settings of a connector's topics, each with the command that fixes it.
struct TopicAdvice {
    private let connector: Connector
    private let settings: [String: TopicSettings]

    init(_ connector: Connector, _ settings: [String: TopicSettings]) {
        self.connector = connector
        self.settings = settings
    }

    /// Everything that was found; an error where pushes would be lost.
    var findings: [Diagnostic] {
        KafkaCheck.topics(of: connector).filter { TopicCreation.creates($0.setting) }
            .compactMap { replication($0.setting, $0.name) } + compaction + retention + repetition
    }

    private func replication(_ setting: String, _ topic: String) -> Diagnostic? {
        guard let found = settings[topic], found.minInSyncReplicas == 1, found.replicas > 1 else {
            return nil
        }
        return connector.locations.warning(
            at: setting,
            message: "the topic '\(topic)' has \(found.replicas) replicas and"
                + " min.insync.replicas=1: records acknowledged by a single broker are lost if it"
                + " fails",
            remedy: command(topic, "min.insync.replicas=2"))
    }

    private var compaction: [Diagnostic] {
        let results = connector.results
        var findings = [
            loss("results.retry", results.retry, of: "pushes that wait for a retry there"),
            loss("source.replay", connector.source.replay, of: "replayed pushes with the same key"),
        ].compactMap { $0 }
        if settings[results.outcomes]?.isCompacted == true {
            findings.append(
                connector.locations.warning(
                    at: "results.outcomes",
                    message:
                        "the topic '\(results.outcomes)' is compacted: Kafka keeps only the last"
                        + " outcome of each key, and outcomes go to the partition of their key",
                    remedy: command(results.outcomes, "cleanup.policy=delete")))
        }
        if settings[results.unregistered]?.isCompacted == false {
            findings.append(
                connector.locations.warning(
                    at: "results.unregistered",
                    message: "the topic '\(results.unregistered)' is not compacted: a late"
                        + " reader misses the tokens that retention has removed",
                    remedy: command(results.unregistered, "cleanup.policy=compact")))
        }
        return findings
    }

    /// Compaction of a topic that the connector itself reads.
    private func loss(_ setting: String, _ topic: String?, of pushes: String) -> Diagnostic? {
        guard let topic, settings[topic]?.isCompacted == true else { return nil }
        return connector.locations.error(
            at: setting,
            message: "the topic '\(topic)' is compacted: \(pushes) would be lost",
            remedy: command(topic, "cleanup.policy=delete"))
    }

    private var retention: [Diagnostic] {
        let wanted = connector.delivery.retry.giveUpAfter.milliseconds
        guard let retry = connector.results.retry, let kept = settings[retry]?.retention,
            kept < wanted
        else { return [] }
        return [
            connector.locations.warning(
                at: "results.retry",
                message: "the topic '\(retry)' keeps records for \(kept / 1000) s, and"
                    + " delivery.retry.give_up_after is \(wanted / 1000) s: pushes that wait longer"
                    + " are lost",
                remedy: command(retry, "retention.ms=\(wanted)"))
        ]
    }

    /// Topics that the connector itself reads and that keep records for longer than Kafka keeps its
    /// offsets.
    private var repetition: [Diagnostic] {
        let own = [
            ("results.retry", connector.results.retry, "repeats finished retries"),
            ("source.replay", connector.source.replay, "sends all replayed pushes again"),
        ]
        return own.compactMap { setting, topic, harm in
            let wanted = TopicCreation.retention(of: setting, connector)
            guard let topic, let found = settings[topic], !found.isCompacted,
                found.retention ?? .max > wanted
            else { return nil }
            let time = found.retention.map { "for \($0 / 1000) s" } ?? "without a time limit"
            return connector.locations.warning(
                at: setting,
                message: "the topic '\(topic)' keeps records \(time): a group without offsets, as"
                    + " after 'source.group' was changed or a stop of more than 7 days, reads it"
                    + " from its beginning and \(harm)",
                remedy: command(topic, "retention.ms=\(wanted)"))
        }
    }

    private func command(_ topic: String, _ setting: String) -> String {
        "kafka-configs.sh --bootstrap-server \(KafkaProperties(connector.kafka).addresses) --alter"
            + " --entity-type topics --entity-name \(topic) --add-config \(setting)"
    }
}
