internal import Delivery

/// When to ask for a token: pure values, without a clock.
struct TokenPace: Sendable {
    /// The first pause after a failure and the longest one.
    static let firstPause = Duration.seconds(1)
    static let maxPause = Duration.seconds(30)
    /// How long a token must have been in use before a rejected login has it replaced: by one of a
    /// server, which many bridges may ask, and by what stands in a file.
    static let minAge = Duration.seconds(30)
    static let minAgeOfFile = Duration.seconds(1)
    /// The parts of a token's life after which it is renewed, so that not all bridges ask at once.
    static let renewal = 0.75...0.8
    /// The parts of a pause that are waited, for the same reason.
    static let pauses = 0.5...1.0

    /// When to ask next; nil while nobody needs a token.
    private(set) var due: Instant?
    /// When the current token expires.
    private(set) var expires: Instant?
    /// How many attempts have failed one after the other.
    private(set) var failures = 0
    private var renewAt = Instant.distantPast
    private var fetchedAt = Instant.distantPast

    /// A client needs a token.
    mutating func needed(now: Instant) {
        if due == nil { due = max(now, renewAt) }
    }

    /// A broker has rejected the login: its token is replaced if it was in use for `minAge`.
    mutating func rejected(now: Instant, minAge: Duration = Self.minAge) {
        guard due != nil, failures == 0, now >= fetchedAt + minAge else { return }
        due = now
    }

    /// Nobody needs a token any more.
    mutating func cancel() { due = nil }

    /// A token was given out that was asked for at `now`; `share` is the part of its life after
    /// which it is renewed.
    mutating func fetched(
        life: Duration, share: Double, maxWait: Duration, now: Instant
    ) {
        failures = 0
        fetchedAt = now
        expires = now + life
        renewAt = now + max(min(life * share, maxWait), Self.firstPause)
        due = renewAt
    }

    /// No token was given out; `share` is the part of the pause that is waited.
    mutating func failed(share: Double, now: Instant) {
        let pause = min(Self.firstPause * (1 << min(failures, 5)), Self.maxPause)
        failures += 1
        due = now + pause * share
        renewAt = now
    }

    /// Whether the token that was last given out is still valid.
    func isValid(at now: Instant) -> Bool { expires.map { now < $0 } ?? false }
}
