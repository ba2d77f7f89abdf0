/// What metrics say about the tokens of a login.
public struct LoginFigures: Equatable, Sendable {
    /// When the token that was last fetched expires, in milliseconds since 1970; nil before the
    /// first.
    public var expiresAt: Int64?
    /// When it was fetched, in milliseconds since 1970.
    public var fetchedAt: Int64?
    /// How often the source has returned no token that could be used.
    public var failures = 0

    /// Creates figures of a login that nobody has used yet.
    public init() {}

    mutating func fetched(life: Duration, at wallClock: Int64) {
        fetchedAt = wallClock
        expiresAt = wallClock + Int64(life / .milliseconds(1))
    }

    mutating func failed() { failures += 1 }
}
