internal import Configuration
internal import Delivery
internal import Kafka
internal import KafkaLogin

/// A gateway's settings in the form its parts need.
struct GatewayPlan: Sendable {
    let properties: KafkaProperties
    let topic: String
    let apps: [EventWriter.App]
    let roster: ClientRoster
    let limits: GatewayLimits
    let connections: Int
    let shutdownDeadline: Duration

    init(_ settings: LegacyGatewaySettings) {
        var properties = settings.kafkaProperties
        // A push waits for Kafka without a time limit: nothing is dropped unacknowledged.
        properties["message.timeout.ms"] = "0"
        self.properties = properties
        topic = settings.topic
        apps = settings.apps.map(EventWriter.App.init)
        roster = ClientRoster(settings.apps.map(ClientRoster.Entry.init))
        limits = GatewayLimits(
            packets: PacketLimits(payload: settings.payload, framePayload: settings.framePayload),
            inFlight: settings.inFlight, idle: settings.idle)
        connections = settings.listen.connections
        shutdownDeadline = settings.shutdownDeadline
    }
}

extension EventWriter.App {
    init(_ settings: LegacyAppSettings) {
        self.init(
            name: settings.name, bundleID: settings.bundleID,
            environment: settings.environment.rawValue)
    }
}

extension ClientRoster.Entry {
    init(_ settings: LegacyAppSettings) {
        self.init(
            bundleID: settings.bundleID, fingerprints: settings.fingerprints,
            authorities: settings.authorities)
    }
}
