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
    /// `production` or `development`, as the outcomes say.
    public var environment: String
    /// What is kept in order.
    public var ordering: DeliverySettings.Ordering
    /// The most records that are taken and not done.
    public var maxInFlight: Int
    /// The most bytes of records that are taken and not done.
    public var maxInFlightBytes: Int
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
        environment = connector.apns.environment.rawValue
        let delivery = connector.delivery
        ordering = delivery.ordering
        maxInFlight = delivery.maxInFlight
        maxInFlightBytes = delivery.maxInFlightBytes
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
