/// How often offsets are committed.
struct CommitPace: Equatable, Sendable {
    /// What was done in this time is done again if the worker dies.
    static let interval: UInt64 = 200_000_000

    /// How soon the last commit is tried again that the source could not take.
    static let retry: UInt64 = 20_000_000

    private(set) var inFlight = 0
    private(set) var next: UInt64 = 0

    func isDue(now: UInt64) -> Bool { inFlight == 0 && now >= next }

    mutating func started(now: UInt64) {
        inFlight += 1
        next = now + Self.interval
    }

    /// The source cannot commit now.
    mutating func postpone(now: UInt64) { next = now + Self.interval }

    mutating func ended() { inFlight = max(0, inFlight - 1) }
}
