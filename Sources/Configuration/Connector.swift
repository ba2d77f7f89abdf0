public import Mapping

/// A validated connector file: everything that a worker needs, as plain values.
///
/// ``ConnectorFile`` creates it. All limits are positive, all names are known, and the key can
/// sign; nothing is checked again. `kafka` and the signing key are secrets: never print them.
public struct Connector: Sendable {
    /// The file's name without folder and extension, for example `orders`.
    public var name: String
    /// The path of the file, as given.
    public var file: String
    /// The source of events.
    public var source: SourceSettings
    /// The properties for librdkafka's consumer and producer, in the file's order.
    public var kafka: [(name: String, value: String)]
    /// How to connect and authenticate to APNs.
    public var apns: APNsSettings
    /// How an event is mapped to notifications.
    public var plan: MappingPlan
    /// The topics of outcomes and other results.
    public var results: ResultsSettings
    /// Order, limits and retries.
    public var delivery: DeliverySettings
    /// When too many device tokens are reported unregistered or suspect at once.
    public var invalidation: GuardSettings
    /// The number of workers, 1 to 64.
    public var workers: Int
    /// How long a shutdown may take.
    public var shutdownDeadline: Duration
    /// Where the tokens come from that clients log in to Kafka with; nil for other logins.
    public var kafkaLogin: KafkaLoginSettings?
    /// Where schemas are looked up; nil where values are JSON.
    public var schemaRegistry: SchemaRegistrySettings?
    /// How long to wait at startup while APNs does not respond.
    public var startupDeadline: Duration = .seconds(60)
    /// The positions of the settings in the file.
    public var locations: SettingLocations
    /// The other files that it was loaded from: keys, certificates, passwords.
    public var files: [String] = []
    /// The file with process settings that it was read with, if that was named.
    public var processFile: String?
    /// What its references resolved to, so that no output shows it; empty for a bridge that runs,
    /// which prints none of it and need not keep it.
    public var resolved = ResolvedValues()

    /// Distinguishes it from a connector with other settings, apart from credentials and trusted
    /// certificates; comments and layout of the file do not matter.
    public var settingsDigest = ""

    /// Assembles a connector; ``ConnectorFile`` validates it.
    public init(
        name: String, file: String, source: SourceSettings,
        kafka: [(name: String, value: String)], apns: APNsSettings, plan: MappingPlan,
        results: ResultsSettings, delivery: DeliverySettings = DeliverySettings(),
        invalidation: GuardSettings = GuardSettings(), workers: Int = 1,
        shutdownDeadline: Duration = .seconds(25),
        locations: SettingLocations? = nil
    ) {
        self.name = name
        self.file = file
        self.source = source
        self.kafka = kafka
        self.apns = apns
        self.plan = plan
        self.results = results
        self.delivery = delivery
        self.invalidation = invalidation
        self.workers = workers
        self.shutdownDeadline = shutdownDeadline
        self.locations = locations ?? SettingLocations(file: file)
    }
}

extension Connector: CustomStringConvertible, CustomDebugStringConvertible {
    /// Name and file only, because the rest contains secrets.
    public var description: String { "connector \(name) (\(file))" }

    /// Name and file only, because the rest contains secrets.
    public var debugDescription: String { description }
}
