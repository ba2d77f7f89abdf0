internal import Delivery

/// Data that only few pushes need: those that are dropped, retried, in doubt or guarded.
struct PushDetails: Sendable {
    /// Why mapping dropped it.
    var drop: Drop?
    /// The reason of its verdict; nil for none.
    private(set) var reason: String?
    /// The newer push that is sent instead; nil for any other drop.
    private(set) var supersededBy: NotificationID?
    /// Which field cannot be sent, and why; nil for any other drop.
    var unsendable: String?
    /// When the verdict was reached, in milliseconds since 1970; nil when it was the moment of the
    /// last response.
    var decidedAt: Int64?
    /// Which labels have no value, and why; nil when all are as written.
    var labelFault: String?
    /// When the first of several attempts was sent, in milliseconds since 1970; nil when the last
    /// one is the first.
    private(set) var firstSentAt: Int64?
    /// Apple's `apns-unique-id`, in the development environment.
    var uniqueID: [UInt8] = []
    /// Apple's timestamp of a 410, in milliseconds since 1970.
    private(set) var unregisteredAt: Int64?
    /// The status of the last response that was not final.
    private(set) var lastStatus: Int?
    /// The reason of the last response that was not final.
    private(set) var lastReason: String?

    /// Why an attempt may have arrived without being confirmed; nil when none is in doubt.
    private(set) var doubt: String?
    /// What it was to do with a Live Activity when it was first in doubt; nil for any other push.
    private(set) var firstActivityEvent: ActivityEvent?
    /// True after a first response that allows exactly one more attempt.
    var wasRetriedOnce = false
    /// A peer has called its request malformed HTTP/2, and it was sent again for that.
    var wasRefusedAsMalformed = false
    /// The number of attempts in doubt.
    var doubts = 0
    /// How often APNs reported too many requests for its device.
    var throttles = 0
    /// How often APNs rejected it temporarily for another reason.
    var failures = 0
    /// How often it was not sent since the last response.
    var refusals = 0
    /// Attempts that APNs rejected because of the credential: they do not count.
    private(set) var suspendedAttempts = 0
    /// How often it has suspended sending, with another push accepted in between.
    var suspensions = 0
    /// Consecutive responses with the same status that cannot be from APNs.
    var foreign: ForeignResponses?

    /// When it will be sent again, even while it moves to the retry topic.
    var resumesAt = Instant.distantPast
    /// True when it came from the retry or the replay topic.
    private(set) var isFromRetryTopic = false
    /// The attempts it had when it was read from the retry topic.
    private(set) var attemptsBefore = 0
    /// Its age when its record was taken.
    private(set) var age = Duration.zero
    /// True when Kafka did not accept it for the retry topic.
    var staysInMemory = false
    /// True when its first attempt was put off because of the clock.
    var hasLeftOrder = false
    /// True when its verdict was withheld and it is sent again to confirm that verdict.
    private(set) var isRepeatedProbe = false

    /// What its spans will say; nil for one that is not traced.
    var trace: PushTrace?

    /// What the dead letter leaves out because Kafka rejected its size.
    var omission = DeadLetterOmission.nothing
    /// True when the outcome leaves out long fields because Kafka rejected its size.
    var isOutcomeShort = false

    /// Those of most pushes.
    static let none = PushDetails()
}

// MARK: What several parts of the engine record

extension PushDetails {
    /// Records the reason of its verdict.
    mutating func decide(_ reason: String) { self.reason = reason }

    /// Takes its verdict back: what APNs responded is then a response that is not final.
    mutating func withdrawVerdict(status: Int?) {
        lastStatus = status
        lastReason = reason
        reason = nil
        unregisteredAt = nil
        isRepeatedProbe = true
    }

    /// Records a response that is not final.
    mutating func noteResponse(status: Int, reason: String?) {
        lastStatus = status
        lastReason = reason
    }

    /// Records Apple's timestamp of a 410.
    mutating func noteUnregistered(at time: Int64?) { unregisteredAt = time }

    /// Records why an attempt may have arrived, and what it was to do with a Live Activity.
    mutating func noteDoubt(_ reason: String, event: ActivityEvent? = nil) {
        doubt = reason
        firstActivityEvent = firstActivityEvent ?? event
    }

    /// Records an earlier attempt than the last one.
    mutating func noteEarlierAttempt(at time: Int64) { firstSentAt = firstSentAt ?? time }

    /// An attempt does not count, as APNs rejected it because of the credential.
    mutating func countSuspendedAttempt() { suspendedAttempts += 1 }

    /// Records the newer push that is sent instead.
    mutating func supersede(by newer: NotificationID) { supersededBy = newer }

    /// Restores what a retry record says; `age` is how long the push has waited until now.
    mutating func restore(_ state: RetryState, age: Duration) {
        attemptsBefore = state.attempts
        suspendedAttempts = state.suspendedAttempts
        isFromRetryTopic = true
        self.age = age
        doubt = state.doubt
        firstActivityEvent = state.activityEvent
        lastStatus = state.lastStatus
        lastReason = state.lastReason
        firstSentAt = state.firstSentAt
    }
}

/// Consecutive responses to one push that cannot be from APNs.
struct ForeignResponses: Equatable, Sendable {
    var status: Int
    var count: Int
    /// When the first of them was received.
    var since: Instant
}

/// What a dead letter leaves out because the client or the broker rejects its size.
enum DeadLetterOmission: Int, Comparable, Sendable {
    /// Nothing.
    case nothing
    /// The value, which is null; headers contain its size and its SHA-256.
    case value
    /// The value, the key and the original headers.
    case everything

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
