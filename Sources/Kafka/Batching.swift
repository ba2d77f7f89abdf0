internal import Delivery

/// How a producer forms its requests.
public struct Batching: Equatable, Sendable {
    /// How long a record may linger for others to join it, in milliseconds.
    var linger: Int
    /// How many requests may be in flight on a connection.
    var requestsInFlight: Int

    /// One request at a time: the next one takes what accumulates while the broker works.
    public static let oneRequest = Batching(linger: 1, requestsInFlight: 1)

    private static let overlap = 5
    private static let shortLinger = 5

    /// Requests that do not wait for each other, as many as an idempotent producer may have in
    /// flight, for records that linger between 5 and 250 ms.
    static func overlapping(linger: Duration) -> Batching {
        let milliseconds = Int(min(linger, .milliseconds(250)).wholeMilliseconds)
        return Batching(linger: max(shortLinger, milliseconds), requestsInFlight: overlap)
    }

    /// The same for records on which the delivery of a push waits: they linger for 5 ms at most.
    public var urgent: Batching {
        Batching(linger: min(linger, Self.shortLinger), requestsInFlight: requestsInFlight)
    }

    /// The most partitions that may wait for each other, however quickly the broker responds when
    /// it has nothing else to do.
    private static let maxPartitions = 16
    /// The longest time that a record may wait for the requests of all other partitions.
    private static let maxWait = Duration.milliseconds(40)

    init(linger: Int, requestsInFlight: Int) {
        (self.linger, self.requestsInFlight) = (linger, requestsInFlight)
    }

    /// Chooses for a topic of this many partitions, with a broker that responds within
    /// `responseTime`: with one request at a time a record waits for as many responses as there are
    /// partitions.
    ///
    /// Overlapping requests carry only as many partitions in a response time as there may be
    /// requests. Records linger as long as all partitions take: with less, a partition that has
    /// more to send takes the place of others that have waited longer.
    init(responseTime: Duration, partitions: Int) {
        let wait = responseTime * partitions
        let isShort = wait <= Self.maxWait && partitions <= Self.maxPartitions
        self = isShort ? .oneRequest : .overlapping(linger: wait / Self.overlap)
    }
}
