/// How a pool behaves; times are in nanoseconds.
public struct PoolSettings: Equatable, Sendable {
    /// How many connections are kept open.
    public var connections: Int
    /// The most requests that may be open on one connection, where the peer allows more.
    public var maxStreams = Int.max
    /// How many requests may be open on a young connection; twice as many each time that so many
    /// have been answered.
    public var firstRequests = 8
    /// How long a response may take.
    public var requestTimeout: UInt64
    /// How long one address may take to accept a connection.
    public var connectTimeout: UInt64 = 3 * Self.second
    /// How long TLS and the first SETTINGS may take together, and a lookup.
    public var handshakeTimeout: UInt64 = 10 * Self.second
    /// The pause between the first opens of two connections; nil for a quarter of a second, and
    /// none on this machine.
    public var stagger: UInt64?
    /// The least pause after a failure; doubles with each one.
    public var shortestBackoff: UInt64 = Self.second
    /// The longest pause after a failure.
    public var longestBackoff: UInt64 = 60 * Self.second
    /// A connection that lived at least so long was a good one.
    public var goodLife: UInt64 = 10 * Self.second
    /// How long a connection keeps a provider token before it takes a newer one.
    public var tokenLife: UInt64 = 20 * 60 * Self.second
    /// After such a silence a PING asks whether the peer is still there.
    public var idleTime: UInt64 = 60 * 60 * Self.second
    /// How long the response to a PING may take.
    public var pingTimeout: UInt64
    /// A connection that has lived so long is replaced, or by chance up to a quarter earlier.
    public var longestLife: UInt64 = 4 * 60 * 60 * Self.second
    /// A connection with fewer stream numbers left is replaced.
    public var fewestStreams = 1 << 20
    /// After so many timeouts in a row a connection is replaced, even if it acknowledges PINGs.
    public var timeoutsInRow = 3

    /// Settings with the usual times.
    public init(connections: Int = 4, requestTimeout: UInt64 = 20_000_000_000) {
        precondition(connections > 0, "a pool has at least one connection")
        self.connections = connections
        self.requestTimeout = requestTimeout
        pingTimeout = min(10 * Self.second, requestTimeout / 2)
    }

    private static let second: UInt64 = 1_000_000_000
}
