/// The settings of a pool.
public struct PoolSettings: Equatable, Sendable {
    /// The number of connections to keep open: the lower bound from the start, more while the
    /// connections are what limits the rate.
    public var connections: ClosedRange<Int>
    /// The most requests that may be open on one connection, if the peer allows more.
    public var maxStreams = Int.max
    /// How many requests may be open on a new connection; doubles each time that many have been
    /// answered.
    public var firstRequests = 8
    /// How long a response may take.
    public var requestTimeout: Duration
    /// How long one address may take to accept a connection.
    public var connectTimeout = Duration.seconds(3)
    /// How long TLS and the first SETTINGS may take together, and how long a lookup may take.
    public var handshakeTimeout = Duration.seconds(10)
    /// The delay between the first opens of two connections; nil means a quarter of a second, or
    /// none on this machine.
    public var stagger: Duration?
    /// Another connection opens after requests have been refused in every second for this long.
    public var openAnotherAfter = Duration.seconds(10)
    /// One that is not needed closes after no request has been refused for this long.
    public var closeOneAfter = Duration.seconds(10 * 60)
    /// If opening a connection took less, APNs is so near that another one would not raise the
    /// rate.
    public var minHandshake = Duration.milliseconds(10)
    /// The shortest delay after a failure; doubles with each one.
    public var minBackoff = Duration.seconds(1)
    /// The longest delay after a failure.
    public var maxBackoff = Duration.seconds(60)
    /// A connection that lasts at least this long clears earlier failures.
    public var stableAfter = Duration.seconds(10)
    /// How long a connection uses a provider token before it adopts a newer one.
    public var tokenLife = Duration.seconds(20 * 60)
    /// How long a connection may be silent before a PING is sent; nil for any time.
    public var pingInterval: Duration? = Duration.seconds(60)
    /// A connection that was silent for this long proves itself by a PING before it carries a
    /// request: firewalls forget quiet connections without a word.
    public var provenFor = Duration.seconds(60)
    /// How long a proof may take before another connection is opened.
    public var proofTimeout = Duration.seconds(2)
    /// How long the response to a PING may take.
    public var pingTimeout: Duration
    /// A suspended app's probe opens a fresh connection at most this often.
    public var freshInterval = Duration.seconds(60)
    /// How long a connection lives before it is replaced; up to a quarter less at random.
    public var maxAge = Duration.seconds(4 * 60 * 60)
    /// A connection with fewer stream IDs left is replaced.
    public var minStreams = 1 << 20
    /// After this many timeouts in a row a connection is replaced, even if it answers PINGs.
    public var timeoutsInRow = 3

    /// The number of connections unless the user sets one.
    public static let defaultConnections = 2...16

    /// The default settings.
    public init(
        connections: ClosedRange<Int> = Self.defaultConnections,
        requestTimeout: Duration = .seconds(20)
    ) {
        precondition(connections.lowerBound > 0, "a pool has at least one connection")
        self.connections = connections
        self.requestTimeout = requestTimeout
        pingTimeout = min(.seconds(10), requestTimeout / 2)
    }

    /// How long the peer's machine may acknowledge nothing before the system breaks a connection:
    /// longer than any response may take.
    var acknowledgementTimeout: Duration { requestTimeout + .seconds(10) }
}
