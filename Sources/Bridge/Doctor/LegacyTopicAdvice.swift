internal import Configuration
internal import Kafka

/// What is unwise about the topic of a service for legacy providers, each with the command that
/// fixes it.
struct LegacyTopicAdvice {
    private let service: LegacySettings
    private let settings: TopicSettings?

    /// Judges the settings of the service's topic; nil when they are unknown.
    init(_ service: LegacySettings, _ settings: TopicSettings?) {
        self.service = service
        self.settings = settings
    }

    /// Everything that was found; an error where pushes would be lost.
    var findings: [Diagnostic] {
        guard let settings else { return [] }
        return switch service {
        case .gateway: [lostPushes(settings), singleAcknowledgement(settings)].compactMap { $0 }
        case .feedback: [lostTokens(settings)].compactMap { $0 }
        }
    }

    private func lostPushes(_ found: TopicSettings) -> Diagnostic? {
        guard found.isCompacted else { return nil }
        return service.locations.error(
            at: setting,
            message: "the topic '\(topic)' is compacted: Kafka would keep only the last push to"
                + " each device",
            remedy: command("cleanup.policy=delete"))
    }

    private func singleAcknowledgement(_ found: TopicSettings) -> Diagnostic? {
        guard found.minInSyncReplicas == 1, found.replicas > 1 else { return nil }
        return service.locations.warning(
            at: setting,
            message: "the topic '\(topic)' has \(found.replicas) replicas and"
                + " min.insync.replicas=1: pushes acknowledged by a single broker are lost if it"
                + " fails",
            remedy: command("min.insync.replicas=2"))
    }

    private func lostTokens(_ found: TopicSettings) -> Diagnostic? {
        guard !found.isCompacted else { return nil }
        return service.locations.warning(
            at: setting,
            message: "the topic '\(topic)' is not compacted: a provider that fetches rarely misses"
                + " the tokens that retention has removed",
            remedy: command("cleanup.policy=compact"))
    }

    private var setting: String { service.topic.setting }
    private var topic: String { service.topic.name }

    private func command(_ setting: String) -> String {
        "kafka-configs.sh --bootstrap-server \(KafkaProperties(service.kafka).addresses) --alter"
            + " --entity-type topics --entity-name \(topic) --add-config \(setting)"
    }
}
