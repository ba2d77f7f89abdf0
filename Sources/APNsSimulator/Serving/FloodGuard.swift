/// Notices a client that asks for one acknowledgement after the other (RFC 9113, 10.5).
struct FloodGuard {
    /// How many PING and SETTINGS frames a client may send in a second.
    static let limit = 1_000
    private static let span: UInt64 = 1_000_000_000

    private var began: UInt64 = 0
    private var countThen = 0

    /// Whether so many frames since the connection began are too many for the time they took.
    mutating func isFlooded(count: Int, at now: UInt64) -> Bool {
        if now >= began + Self.span {
            began = now
            countThen = count
            return false
        }
        return count - countThen > Self.limit
    }
}
