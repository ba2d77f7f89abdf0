public import APNs
public import Configuration
public import Delivery
public import Tracing

/// The connector's settings that the engine depends on.
public struct EngineSettings: Sendable {
    /// The connector's name.
    public var connector: String
    /// Distinguishes it from a connector with other settings; empty where there is no file.
    public var connectorDigest = ""
    /// The Kafka cluster's ID; `-` when it has none.
    public var clusterID: String
    /// The consumer group, which is part of the name of every push.
    public var group: String
    /// The topics to read that are known by name.
    public var sourceTopics: [String]
    /// True when topics that match a pattern are read as well.
    public var hasPatterns = false
    /// The topic of dead letters that are sent again; nil for none.
    public var replayTopic: String?
    /// The result topics, and how they contain device tokens.
    public var results: ResultsSettings
    /// The apps that notifications are sent to.
    public var apps: [EngineApp]
    /// The order that pushes are kept in.
    public var ordering: DeliverySettings.Ordering
    /// The most records in flight: taken and not done.
    public var maxInFlight: Int
    /// The most bytes of records in flight.
    public var maxInFlightBytes: Int
    /// No record is taken while this many pushes wait to be sent for each app: they would wait
    /// longer, not be sent sooner.
    public var maxQueued = EngineSettings.usualMaxQueued
    /// The most records that wait, for a retry or for an app whose sending is suspended, in
    /// addition to those in flight.
    public var maxWaiting: Int
    /// The maximum size of waiting records in bytes.
    public var maxWaitingBytes: Int
    /// The most records of a partition that are done and not committed.
    public var maxUncommitted: Int
    /// The most characters of metadata in a commit.
    public var commitMetadata = CompletedOffsets.maxTextLength
    /// For how long events that happened before are not sent to a device that APNs has reported as
    /// unregistered; zero to send them.
    public var rememberUnregistered: Duration
    /// What to do with a push that was sent and got no response.
    public var inDoubt: DeliverySettings.InDoubt
    /// A push in doubt that is not resent leaves a dead letter.
    public var inDoubtDeadLetter = false
    /// Which pushes are dropped because of newer ones.
    public var supersede: DeliverySettings.Supersede
    /// When the mass-invalidation guard engages.
    public var invalidation: GuardSettings
    /// The limits on how many pushes are sent, and whether they adapt to how APNs responds.
    public var rate: RateSettings
    /// When a push is sent again.
    public var retry: RetryPolicy
    /// How long finishing a revoked partition may take.
    public var revokeDeadline: Duration
    /// How long stopping may take.
    public var shutdownDeadline: Duration
    /// The longest interval between two polls of Kafka.
    public var takeInterval: Duration

    /// How many bytes the ID of a schema has in front of a value; nil where values are JSON.
    public var schemaIDBytes: Int?
    /// True when keys have schemas of their own.
    public var keysHaveSchemas = false
    /// The labels of events that the metrics of pushes have.
    public var metricLabels: [String] = []
    /// Which pushes are traced; nil for none.
    public var sampler: TraceSampler?

    #if DEBUG
        /// The key of records that end the process, so that a test can do without a real fault; nil
        /// for none.
        public var fatalKey: String?
    #endif

    /// How much detail the log has about single pushes.
    public var logDetail = LogDetail.none

    /// How much detail the log has about single pushes.
    public enum LogDetail: Comparable, Sendable {
        /// None.
        case none
        /// A line for each retry.
        case retries
        /// A line for each verdict, too.
        case verdicts
    }

    /// As many pushes as the records of one turn usually have.
    public static var usualMaxQueued: Int { PollPace.batch }

    /// Creates the settings of a connector.
    public init(_ connector: Connector, clusterID: String) {
        self.connector = connector.name
        connectorDigest = String(connector.settingsDigest.prefix(12))
        self.clusterID = clusterID
        group = connector.source.group
        sourceTopics = connector.source.topicNames
        hasPatterns = connector.source.hasPatterns
        replayTopic = connector.source.replay
        results = connector.results
        apps = EngineApp.all(of: connector.apns)
        let delivery = connector.delivery
        ordering = delivery.ordering
        maxInFlight = delivery.maxInFlight
        maxInFlightBytes = delivery.maxInFlightBytes
        maxWaiting = delivery.maxWaiting
        maxWaitingBytes = delivery.maxWaitingBytes
        maxUncommitted = delivery.maxUncommitted
        rememberUnregistered = delivery.rememberUnregistered
        inDoubt = delivery.inDoubt
        inDoubtDeadLetter = delivery.inDoubtDeadLetter
        supersede = delivery.supersede
        // What waits to be sent may be superseded by what is read meanwhile.
        if supersede == .backlog { maxQueued = max(maxQueued, maxInFlight) }
        invalidation = connector.invalidation
        rate = delivery.rate
        retry = delivery.retry
        revokeDeadline = delivery.revokeDeadline
        shutdownDeadline = connector.shutdownDeadline
        schemaIDBytes = connector.schemaRegistry?.idBytes
        keysHaveSchemas = connector.source.keyFormat.map { $0 != .json } ?? false
        let pollInterval = connector.kafka.last { $0.name == "max.poll.interval.ms" }
        let third = (pollInterval.flatMap { Int64($0.value) } ?? 300_000) / 3
        takeInterval = min(.seconds(1), .milliseconds(third))
    }
}

/// An app that notifications are sent to.
public struct EngineApp: Equatable, Sendable {
    /// Its name in the connector.
    public var name: String
    /// Its bundle identifier.
    public var bundleID: String
    /// `production` or `development`, as outcomes name it.
    public var environment: String
    /// The index of its endpoint and credential among the worker's routes; apps with the same
    /// endpoint and credential share one.
    public var route: Int

    /// The credential, as the log names it.
    public var credential: String
    /// Whether the credential is a key or a certificate.
    public var credentialKind: APNsCredential.Kind

    /// Creates an app.
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

    /// How the broadcasts of an app are named where they are apart from its other pushes.
    public static func name(ofBroadcasts app: String) -> String { "\(app) (broadcasts)" }

    /// The apps of a connector, in the order of the file.
    static func all(of apns: APNsSettings) -> [EngineApp] {
        apns.apps.enumerated().map { index, app in
            EngineApp(
                name: app.name, bundleID: app.bundleID, environment: app.environment.rawValue,
                route: apns.routes.firstIndex { $0.contains(index) } ?? 0,
                credential: app.credential.message, credentialKind: app.credential.kind)
        }
    }
}

extension EngineSettings {
    /// Switches the apps of a route to another credential.
    package mutating func use(_ credential: APNsCredential, onRoute route: Int) {
        for app in apps.indices where apps[app].route == route {
            apps[app].credential = credential.message
            apps[app].credentialKind = credential.kind
        }
    }

    /// The app of a queue; nil for ``AppID/none``.
    subscript(queue: AppID) -> EngineApp? {
        let index = appIndex(of: queue)
        return apps.indices.contains(index) ? apps[index] : nil
    }

    // MARK: Queues

    /// The route of each queue that there may be: those of pushes to devices, then those of
    /// broadcasts.
    public var routesOfQueues: [Int] { apps.map(\.route) + apps.map(\.route) }

    /// The queue of an app's broadcasts.
    func broadcastQueue(of app: AppID) -> AppID {
        app == .none ? .none : AppID(apps.count + app.index)
    }

    /// True for the queue of an app's broadcasts.
    func isForBroadcasts(_ queue: AppID) -> Bool { queue.index >= apps.count }

    /// The index of a queue's app; -1 for ``AppID/none``.
    func appIndex(of queue: AppID) -> Int {
        queue.index < apps.count ? queue.index : queue.index - apps.count
    }

    /// How logs name queues: by their apps, and those of broadcasts alone as such.
    func names(of queues: [AppID]) -> [String] {
        queues.compactMap { queue in
            guard let app = self[queue] else { return nil }
            guard isForBroadcasts(queue) else { return app.name }
            let isWhole = queues.contains(AppID(appIndex(of: queue)))
            return isWhole ? nil : EngineApp.name(ofBroadcasts: app.name)
        }
    }
}
