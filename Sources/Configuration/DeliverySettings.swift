public import Delivery

/// The `delivery:` block: order, limits and retries.
public struct DeliverySettings: Equatable, Sendable {
    /// What waits for what.
    public enum Ordering: String, CaseIterable, Sendable {
        /// Nothing waits.
        case none
        /// A push waits for the earlier ones to the same device in its partition.
        case device
        /// A push waits for the earlier ones whose records have the same key, in its partition.
        case key
        /// A push waits for the earlier ones to the same device with the same collapse ID.
        case collapse
        /// A push waits for all earlier ones of its partition.
        case partition
    }

    /// What happens to a push that was sent and not answered, so that nobody knows about it.
    public enum InDoubt: String, CaseIterable, Sendable {
        /// It is sent again only if the device shows it once: it has a collapse ID, and this
        /// worker has sent nothing newer for that token and collapse ID. Else it is reported.
        case collapse
        /// It is always sent again: the device may show it twice.
        case resend
        /// It is never sent again: its outcome is `unknown`.
        case report
    }

    /// What waits for what.
    public var ordering: Ordering
    /// The maximum number of records in flight per worker.
    public var maxInFlight: Int
    /// The maximum size of the records in flight per worker.
    public var maxInFlightBytes: Int
    /// The maximum number of records that wait for a retry or a suspended app, per worker.
    public var maxWaiting: Int
    /// How many bytes of such records.
    public var maxWaitingBytes: Int
    /// How many records of a partition may be done but not committed.
    public var maxUncommitted: Int
    /// How long to wait for Apple's response to a request.
    public var requestTimeout: Duration
    /// How long a revoked partition may take to drain.
    public var revokeDeadline: Duration
    /// What happens to a push that was sent and not answered.
    public var inDoubt: InDoubt
    /// How many pushes may go in a time.
    public var rate: RateSettings
    /// When a push is tried again.
    public var retry: RetryPolicy

    /// Describes a delivery; what is left out has the default of the connector file.
    public init(
        ordering: Ordering = .none, maxInFlight: Int = 4000,
        maxInFlightBytes: Int = 64 * 1_048_576, maxWaiting: Int = 10_000,
        maxWaitingBytes: Int = 64 * 1_048_576, maxUncommitted: Int = 50_000,
        requestTimeout: Duration = .seconds(20),
        revokeDeadline: Duration = .seconds(10),
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
        self.inDoubt = inDoubt
        self.rate = rate
        self.retry = retry
    }
}
