public import APNs
public import Configuration
public import Delivery

/// What the engine needs to know of its connector.
public struct EngineSettings: Sendable {
    /// The connector's name.
    public var connector: String
    /// What the Kafka cluster calls itself; `-` when it does not.
    public var clusterID: String
    /// The consumer group, as part of the name of every push.
    public var group: String
    /// The topics that are read.
    public var sourceTopics: [String]
    /// The result topics, and what they tell about device tokens.
    public var results: ResultsSettings
    /// The apps that notifications go to.
    public var apps: [EngineApp]
    /// What is kept in order.
    public var ordering: DeliverySettings.Ordering
    /// The most records that are taken and not done.
    public var maxInFlight: Int
    /// The most bytes of records that are taken and not done.
    public var maxInFlightBytes: Int
    /// The most records that wait for a retry, or for an app whose sending is suspended, beside
    /// those in flight.
    public var maxWaiting: Int
    /// The most bytes of such records.
    public var maxWaitingBytes: Int
    /// What becomes of a push that was sent and got no response.
    public var inDoubt: DeliverySettings.InDoubt
    /// When too many device tokens are called unregistered or suspect at once.
    public var invalidation: GuardSettings
    /// How many pushes may go, and whether that follows from how APNs responds.
    public var rate: RateSettings
    /// When a notification is sent again.
    public var retry: RetryPolicy
    /// How long a revoked partition may take to finish.
    public var revokeDeadline: Duration
    /// How long a stop may take.
    public var shutdownDeadline: Duration
    /// How often Kafka is asked for records at least.
    public var takeInterval: Duration

    /// Takes what a worker needs from a connector.
    public init(_ connector: Connector, clusterID: String) {
        self.connector = connector.name
        self.clusterID = clusterID
        group = connector.source.group
        sourceTopics = connector.source.topics
        results = connector.results
        apps = EngineApp.all(of: connector.apns)
        let delivery = connector.delivery
        ordering = delivery.ordering
        maxInFlight = delivery.maxInFlight
        maxInFlightBytes = delivery.maxInFlightBytes
        maxWaiting = delivery.maxWaiting
        maxWaitingBytes = delivery.maxWaitingBytes
        inDoubt = delivery.inDoubt
        invalidation = connector.invalidation
        rate = delivery.rate
        retry = RetryPolicy(
            first: .nanoseconds(Int64(delivery.retry.firstNanoseconds)),
            factor: delivery.retry.factor,
            longest: .nanoseconds(Int64(delivery.retry.longestNanoseconds)),
            maxAttempts: delivery.retry.maxAttempts,
            giveUpAfter: .nanoseconds(Int64(delivery.retry.giveUpAfterNanoseconds)))
        revokeDeadline = .nanoseconds(Int64(delivery.revokeDeadlineNanoseconds))
        shutdownDeadline = .nanoseconds(Int64(connector.shutdownDeadlineNanoseconds))
        let pollInterval = connector.kafka.last { $0.name == "max.poll.interval.ms" }
        let third = (pollInterval.flatMap { Int64($0.value) } ?? 300_000) / 3
        takeInterval = min(.seconds(1), .milliseconds(third))
    }
}

/// An app that notifications go to.
public struct EngineApp: Equatable, Sendable {
    /// What the connector calls it.
    public var name: String
    /// Its bundle identifier.
    public var bundleID: String
    /// `production` or `development`, as the outcomes say.
    public var environment: String
    /// The place of its endpoint and credential among the worker's: apps with the same share it.
    public var route: Int

    /// What the log calls its credential.
    public var credential: String
    /// What its credential is.
    public var credentialKind: APNsCredential.Kind

    /// Describes an app.
    public init(
        name: String, bundleID: String, environment: String, route: Int, credential: String = "",
        credentialKind: APNsCredential.Kind = .key
    ) {
        self.name = name
        self.bundleID = bundleID
        self.environment = environment
        self.route = route
        self.credential = credential
        self.credentialKind = credentialKind
    }

    /// The apps of a connector, in its order.
    static func all(of apns: APNsSettings) -> [EngineApp] {
        apns.apps.enumerated().map { index, app in
            EngineApp(
                name: app.name, bundleID: app.bundleID, environment: app.environment.rawValue,
                route: apns.routes.firstIndex { $0.contains(index) } ?? 0,
                credential: app.credential.words, credentialKind: app.credential.kind)
        }
    }
}

extension CredentialSettings {
    /// Whether it is a key or a certificate.
    var kind: APNsCredential.Kind {
        switch self {
        case .key: .key
        case .certificate: .certificate
        }
    }
}

extension EngineSettings {
    /// From now on this is the credential of a route's apps.
    package mutating func use(_ credential: APNsCredential, onRoute route: Int) {
        for app in apps.indices where apps[app].route == route {
            apps[app].credential = credential.words
            apps[app].credentialKind = credential.kind
        }
    }

    /// An app; nil for none.
    subscript(app: AppID) -> EngineApp? {
        apps.indices.contains(app.index) ? apps[app.index] : nil
    }
}
