internal import Configuration
internal import Kafka
internal import KafkaLogin

/// A feedback service's settings in the form its parts need.
struct FeedbackPlan: Sendable {
    let properties: KafkaProperties
    let topic: String
    let group: String
    let apps: [EventWriter.App]
    let roster: ClientRoster
    let connections: Int
    let seal: SealKeys?

    init(_ settings: FeedbackServiceSettings) {
        properties = settings.kafkaProperties
        topic = settings.topic
        group = settings.group
        apps = settings.apps.map(EventWriter.App.init)
        roster = ClientRoster(settings.apps.map(ClientRoster.Entry.init))
        connections = settings.listen.connections
        seal = settings.seal
    }
}
