public import Delivery

/// The `delivery:` block: order, limits and retries.
public struct DeliverySettings: Equatable, Sendable {
    /// Which pushes wait for which.
    public enum Ordering: String, CaseIterable, Sendable {
        /// No push waits for another.
        case none
        /// A push waits for earlier ones to the same device in its partition.
        case device
        /// A push waits for earlier ones in its partition whose records have the same key.
        case key
        /// A push waits for earlier ones to the same device with the same collapse ID.
        case collapse
        /// A push waits for all earlier ones in its partition.
        case partition
    }

    /// What happens to a push that was sent without a response, so that its result is unknown.
    public enum InDoubt: String, CaseIterable, Sendable {
        /// It is resent only if the device shows it once: it has a collapse ID, and this worker has
        /// sent nothing newer for that token and collapse ID. Otherwise it is reported.
        case collapse
        /// It is always resent: the device may show it twice.
        case resend
        /// It is never resent: its outcome is `unknown`.
        case report
    }

    /// Which pushes are dropped because a newer one has replaced them on the device.
    public enum Supersede: String, CaseIterable, Sendable {
        /// Those of ``retries``, and those that are read and not sent yet, when a newer one for the
        /// same device in their partition is read: alerts with the same collapse ID, and updates of
        /// the same Live Activity.
        case backlog
        /// Those that wait or are sent again, when a newer one with the same collapse ID has been
        /// sent to the device meanwhile.
        case retries
        /// None: a push that is sent again may replace a newer one on the device.
        case none
    }

    /// Which pushes wait for which.
    public var ordering: Ordering
    /// The maximum number of records in flight per worker.
    public var maxInFlight: Int
    /// The maximum size of the records in flight per worker.
    public var maxInFlightBytes: Int
    /// The maximum number of records that wait for a retry or a suspended app, per worker.
    public var maxWaiting: Int
    /// The maximum size of those records in bytes.
    public var maxWaitingBytes: Int
    /// How many records of a partition may be done but not committed.
    public var maxUncommitted: Int
    /// How long to wait for Apple's response to a request.
    public var requestTimeout: Duration
    /// How long a revoked partition may take to drain.
    public var revokeDeadline: Duration
    /// For how long events that happened before are not sent to a device that APNs has reported as
    /// unregistered.
    public var rememberUnregistered: Duration
    /// What happens to a push that was sent without a response.
    public var inDoubt: InDoubt
    /// A push in doubt that is not resent leaves a dead letter.
    public var inDoubtDeadLetter = false
    /// Which pushes are dropped because of newer ones.
    public var supersede = Supersede.retries
    /// The limits on pushes per unit of time.
    public var rate: RateSettings
    /// When a push is retried.
    public var retry: RetryPolicy

    /// Creates the settings; omitted ones have the defaults of the connector file.
    public init(
        ordering: Ordering = .none, maxInFlight: Int = 4000,
        maxInFlightBytes: Int = 64 * 1_048_576, maxWaiting: Int = 10_000,
        maxWaitingBytes: Int = 64 * 1_048_576, maxUncommitted: Int = 50_000,
        requestTimeout: Duration = .seconds(20),
        revokeDeadline: Duration = .seconds(10), rememberUnregistered: Duration = .seconds(86_400),
        inDoubt: InDoubt = .collapse, rate: RateSettings = RateSettings(),
        retry: RetryPolicy = RetryPolicy()
    ) {
        self.ordering = ordering
        self.maxInFlight = maxInFlight
        self.maxInFlightBytes = maxInFlightBytes
        self.maxWaiting = maxWaiting
        self.maxWaitingBytes = maxWaitingBytes
        self.maxUncommitted = maxUncommitted
        self.requestTimeout = requestTimeout
        self.revokeDeadline = revokeDeadline
        self.rememberUnregistered = rememberUnregistered
        self.inDoubt = inDoubt
        self.rate = rate
        self.retry = retry
    }
}
