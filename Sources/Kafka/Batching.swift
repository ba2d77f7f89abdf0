/// How a producer forms its requests.
public struct Batching: Equatable, Sendable {
    /// How long a record may linger for others to join it, in milliseconds.
    var linger: Int
    /// How many requests may be in flight on a connection.
    var requestsInFlight: Int

    /// One request at a time: the next one takes what accumulates while the broker works.
    public static let oneRequest = Batching(linger: 1, requestsInFlight: 1)
    /// Requests that do not wait for each other.
    public static let overlapping = Batching(linger: 5, requestsInFlight: 5)

    /// The most partitions that may wait for each other, however quickly the broker responds when
    /// it has nothing else to do.
    private static let mostPartitions = 16
    /// The longest time that a record may wait for the requests of all other partitions.
    private static let longestWait = Duration.milliseconds(40)

    private init(linger: Int, requestsInFlight: Int) {
        (self.linger, self.requestsInFlight) = (linger, requestsInFlight)
    }

    /// Chooses for a topic of this many partitions, with a broker that responds within
    /// `responseTime`: with one request at a time a record waits for as many responses as there are
    /// partitions.
    init(responseTime: Duration, partitions: Int) {
        let isShort = responseTime * partitions <= Self.longestWait
        self = isShort && partitions <= Self.mostPartitions ? .oneRequest : .overlapping
    }
}
