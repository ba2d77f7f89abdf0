internal import Delivery

/// Detects a client that requests one acknowledgement after another (RFC 9113, 10.5).
struct FloodGuard {
    /// The limit of PING and SETTINGS frames per second.
    static let limit = 1_000
    private static let span = Duration.seconds(1)

    private var began = Instant.distantPast
    private var countThen = 0

    /// Whether this many frames since the connection started are too many for the elapsed time.
    mutating func isFlooded(count: Int, at now: Instant) -> Bool {
        if now >= began + Self.span {
            began = now
            countThen = count
            return false
        }
        return count - countThen > Self.limit
    }
}
