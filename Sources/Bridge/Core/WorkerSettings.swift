public import APNs
public import Configuration
public import Delivery

/// What a worker needs to know of its connector.
public struct WorkerSettings: Sendable {
    /// The connector's name.
    public var connector: String
    /// What the Kafka cluster calls itself; `-` when it does not.
    public var clusterID: String
    /// The result topics, and what they tell about device tokens.
    public var results: ResultsSettings
    /// The apps that notifications go to.
    public var apps: [WorkerApp]
    /// What is kept in order.
    public var ordering: DeliverySettings.Ordering
    /// The most records that are taken and not done.
    public var maxInFlight: Int
    /// The most bytes of records that are taken and not done.
    public var maxInFlightBytes: Int
    /// The most records that wait for time to pass, or for an app that is held, beside those in
    /// flight.
    public var maxWaiting: Int
    /// The most bytes of such records.
    public var maxWaitingBytes: Int
    /// What becomes of a push that was sent and not answered.
    public var inDoubt: DeliverySettings.InDoubt
    /// When too many device tokens are called dead or suspect at once.
    public var invalidation: GuardSettings
    /// How many pushes may go, and whether that follows from how Apple answers.
    public var rate: RateSettings
    /// When a notification is sent again.
    public var retry: RetryPolicy
    /// How long a partition that is taken away may be finished, in nanoseconds.
    public var revokeDeadline: UInt64
    /// How long a stop may take, in nanoseconds.
    public var shutdownDeadline: UInt64
    /// How often Kafka is asked for records at least, in nanoseconds.
    public var takeInterval: UInt64

    /// Takes what a worker needs from a connector.
    public init(_ connector: Connector, clusterID: String) {
        self.connector = connector.name
        self.clusterID = clusterID
        results = connector.results
        apps = WorkerApp.all(of: connector.apns)
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
            first: Int64(delivery.retry.firstNanoseconds / 1_000_000),
            factor: delivery.retry.factor,
            longest: Int64(delivery.retry.longestNanoseconds / 1_000_000),
            maxAttempts: delivery.retry.maxAttempts,
            giveUpAfter: Int64(delivery.retry.giveUpAfterNanoseconds / 1_000_000))
        revokeDeadline = delivery.revokeDeadlineNanoseconds
        shutdownDeadline = connector.shutdownDeadlineNanoseconds
        let pollInterval = connector.kafka.last { $0.name == "max.poll.interval.ms" }
        let third = (pollInterval.flatMap { UInt64($0.value) } ?? 300_000) * 1_000_000 / 3
        takeInterval = min(1_000_000_000, third)
    }
}

/// An app that notifications go to.
public struct WorkerApp: Equatable, Sendable {
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
    static func all(of apns: APNsSettings) -> [WorkerApp] {
        apns.apps.enumerated().map { index, app in
            WorkerApp(
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

extension WorkerSettings {
    /// From now on this is the credential of a route's apps.
    mutating func use(_ credential: APNsCredential, onRoute route: Int) {
        for app in apps.indices where apps[app].route == route {
            apps[app].credential = credential.words
            apps[app].credentialKind = credential.kind
        }
    }

    /// The environment of a notification's app; nil for one without an app.
    func environment(of notification: borrowing Notification) -> String? {
        apps.indices.contains(notification.app) ? apps[notification.app].environment : nil
    }
}
