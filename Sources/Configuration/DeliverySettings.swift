/// The `delivery:` block: order, limits and retries.
public struct DeliverySettings: Equatable, Sendable {
    /// What waits for what.
    public enum Ordering: String, CaseIterable, Sendable {
        /// Nothing waits.
        case none
        /// A push waits for the earlier ones to the same device in its partition.
        case device
    }

    /// What waits for what.
    public var ordering: Ordering
    /// How many records a worker may have in flight.
    public var maxInFlight: Int
    /// How many bytes of records a worker may have in flight.
    public var maxInFlightBytes: Int
    /// How long Apple may take to answer a request.
    public var requestTimeoutNanoseconds: UInt64
    /// How long a partition that is taken away may take to drain.
    public var revokeDeadlineNanoseconds: UInt64
    /// When a push is tried again.
    public var retry: RetrySettings

    /// Describes a delivery; what is left out has the default of the connector file.
    public init(
        ordering: Ordering = .none, maxInFlight: Int = 4000,
        maxInFlightBytes: Int = 64 * 1_048_576,
        requestTimeoutNanoseconds: UInt64 = 20_000_000_000,
        revokeDeadlineNanoseconds: UInt64 = 10_000_000_000,
        retry: RetrySettings = RetrySettings()
    ) {
        self.ordering = ordering
        self.maxInFlight = maxInFlight
        self.maxInFlightBytes = maxInFlightBytes
        self.requestTimeoutNanoseconds = requestTimeoutNanoseconds
        self.revokeDeadlineNanoseconds = revokeDeadlineNanoseconds
        self.retry = retry
    }
}
