/// Detects a client that requests one acknowledgement after another (RFC 9113, 10.5).
struct FloodGuard {
    /// The limit of PING and SETTINGS frames per second.
    static let limit = 1_000
    private static let span: UInt64 = 1_000_000_000

    private var began: UInt64 = 0
    private var countThen = 0

    /// Whether this many frames since the connection started are too many for the elapsed time.
    mutating func isFlooded(count: Int, at now: UInt64) -> Bool {
        if now >= began + Self.span {
            began = now
            countThen = count
            return false
        }
        return count - countThen > Self.limit
    }
}
