/// The settings of a pool; times are in nanoseconds.
public struct PoolSettings: Equatable, Sendable {
    /// The number of connections to keep open.
    public var connections: Int
    /// The most requests that may be open on one connection, if the peer allows more.
    public var maxStreams = Int.max
    /// How many requests may be open on a new connection; doubles each time that many have been
    /// answered.
    public var firstRequests = 8
    /// How long a response may take.
    public var requestTimeout: UInt64
    /// How long one address may take to accept a connection.
    public var connectTimeout: UInt64 = 3 * Self.second
    /// How long TLS and the first SETTINGS may take together, and how long a lookup may take.
    public var handshakeTimeout: UInt64 = 10 * Self.second
    /// The delay between the first opens of two connections; nil means a quarter of a second, or
    /// none on this machine.
    public var stagger: UInt64?
    /// The shortest delay after a failure; doubles with each one.
    public var shortestBackoff: UInt64 = Self.second
    /// The longest delay after a failure.
    public var longestBackoff: UInt64 = 60 * Self.second
    /// A connection that lasts at least this long clears earlier failures.
    public var goodLife: UInt64 = 10 * Self.second
    /// How long a connection uses a provider token before it adopts a newer one.
    public var tokenLife: UInt64 = 20 * 60 * Self.second
    /// How long a connection may be idle before a PING is sent.
    public var idleTime: UInt64 = 60 * 60 * Self.second
    /// How long the response to a PING may take.
    public var pingTimeout: UInt64
    /// How long a connection lives before it is replaced; up to a quarter less at random.
    public var longestLife: UInt64 = 4 * 60 * 60 * Self.second
    /// A connection with fewer stream IDs left is replaced.
    public var fewestStreams = 1 << 20
    /// After this many timeouts in a row a connection is replaced, even if it answers PINGs.
    public var timeoutsInRow = 3

    /// The default settings.
    public init(connections: Int = 4, requestTimeout: UInt64 = 20_000_000_000) {
        precondition(connections > 0, "a pool has at least one connection")
        self.connections = connections
        self.requestTimeout = requestTimeout
        pingTimeout = min(10 * Self.second, requestTimeout / 2)
    }

    private static let second: UInt64 = 1_000_000_000
}
