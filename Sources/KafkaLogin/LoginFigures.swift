/// What metrics say about the tokens of a login.
public struct LoginFigures: Equatable, Sendable {
    /// When the token that was last fetched expires, in milliseconds since 1970; nil before the
    /// first.
    public var expiresAt: Int64?
    /// When it was fetched, in milliseconds since 1970.
    public var fetchedAt: Int64?
    /// How often the source has returned no token that could be used.
    public var failures = 0
    /// Why the last attempt failed; nil once the source has returned a token.
    public var trouble: Trouble?

    /// A source that returns no token.
    public struct Trouble: Equatable, Sendable {
        /// Since when the source has returned no token, in milliseconds since 1970.
        public var since: Int64
        /// What it did the last time, without secrets.
        public var detail: String

        /// Creates a trouble.
        public init(since: Int64, detail: String) {
            self.since = since
            self.detail = detail
        }
    }

    /// Creates figures of a login that nobody has used yet.
    public init() {}

    mutating func fetched(life: Duration, at wallClock: Int64) {
        fetchedAt = wallClock
        expiresAt = wallClock + Int64(life / .milliseconds(1))
        trouble = nil
    }

    mutating func failed(_ detail: String, at wallClock: Int64) {
        failures += 1
        trouble = Trouble(since: trouble?.since ?? wallClock, detail: detail)
    }
}
