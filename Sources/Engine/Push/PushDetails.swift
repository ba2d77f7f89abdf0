internal import Delivery

/// What only few pushes need: those that are dropped, retried, in doubt or guarded.
struct PushDetails: Sendable {
    /// Why mapping does not let it be sent.
    var drop: Drop?
    /// The reason of its verdict; nil for none.
    var reason: String?
    /// Apple's `apns-unique-id`, in the development environment.
    var uniqueID: [UInt8] = []
    /// Apple's time of a 410, in milliseconds since 1970.
    var unregisteredAt: Int64?
    /// The status of the last response that decided nothing.
    var lastStatus: Int?
    /// The reason of the last response that decided nothing.
    var lastReason: String?

    /// Why an attempt may have arrived although nobody confirmed it; nil when none is in doubt.
    var doubt: String?
    /// True after a first response that calls for exactly one more attempt.
    var wasRetriedOnce = false
    /// How often it was in doubt.
    var doubts = 0
    /// How often APNs called its device too busy.
    var throttles = 0
    /// How often APNs had another reason to refuse it for now.
    var failures = 0
    /// How often it left no connection since the last response.
    var refusals = 0
    /// The attempts that a refusal of the credential answered: they do not count.
    var suspendedAttempts = 0
    /// Responses that cannot be from APNs, one after the other with the same status.
    var foreign: ForeignResponses?

    /// When it is sent again, also while its way to the retry topic is not certain.
    var resumesAt = Instant.distantPast
    /// True when it was read from the retry topic.
    var isFromRetryTopic = false
    /// The attempts that it had when it was read from the retry topic.
    var attemptsBefore = 0
    /// How old it was when its record was taken.
    var age = Duration.zero
    /// True when Kafka does not take it for the retry topic.
    var staysInMemory = false
    /// True when its verdict was withheld, and it is sent again to see whether that still holds.
    var isRepeatedProbe = false

    /// How much of the dead letter is left out, because Kafka refuses its size.
    var omission = DeadLetterOmission.nothing
    /// True when the outcome leaves out what may be long, because Kafka refuses its size.
    var isOutcomeShort = false
}

/// Responses to one push that cannot be from APNs.
struct ForeignResponses: Equatable, Sendable {
    var status: Int
    var count: Int
    /// When the first of them came.
    var since: Instant
}

/// How much of a dead letter is left out, because client or broker refuses its size.
enum DeadLetterOmission: Int, Comparable, Sendable {
    /// It is whole.
    case nothing
    /// The value is null; headers tell its size and its SHA-256.
    case value
    /// Key and original headers are left out too.
    case everything

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
