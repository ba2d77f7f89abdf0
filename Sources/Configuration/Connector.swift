public import Mapping

/// A connector file, read and checked: everything that a worker needs, as plain values.
///
/// ``ConnectorFile`` makes it. All limits are above zero, all names are known, and the key is one
/// that can sign; nobody checks again. `kafka` and the signing key are secrets: never print them.
public struct Connector: Sendable {
    /// The file's name without its folder and ending, for example `orders`.
    public var name: String
    /// The path of the file, as it was given.
    public var file: String
    /// Where events come from.
    public var source: SourceSettings
    /// The properties for librdkafka's consumer and producer, in the file's order.
    public var kafka: [(name: String, value: String)]
    /// How to connect and authenticate to APNs.
    public var apns: APNsSettings
    /// How an event becomes notifications.
    public var plan: MappingPlan
    /// Where outcomes go.
    public var results: ResultsSettings
    /// Order, limits and retries.
    public var delivery: DeliverySettings
    /// When too many device tokens are called dead or suspect at once.
    public var invalidation: GuardSettings
    /// How many workers run it, 1 to 64.
    public var workers: Int
    /// How long a shutdown may take.
    public var shutdownDeadline: Duration
    /// How long to wait at startup for an APNs that does not respond.
    public var startupDeadline: Duration = .seconds(60)
    /// Where the settings are written.
    public var places: SettingPlaces
    /// The files beside it that it was made from: keys, certificates, passwords.
    public var files: [String] = []

    /// Puts a connector together; ``ConnectorFile`` is what checks one.
    public init(
        name: String, file: String, source: SourceSettings,
        kafka: [(name: String, value: String)], apns: APNsSettings, plan: MappingPlan,
        results: ResultsSettings, delivery: DeliverySettings = DeliverySettings(),
        invalidation: GuardSettings = GuardSettings(), workers: Int = 1,
        shutdownDeadline: Duration = .seconds(25),
        places: SettingPlaces? = nil
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
        self.places = places ?? SettingPlaces(file: file)
    }
}
