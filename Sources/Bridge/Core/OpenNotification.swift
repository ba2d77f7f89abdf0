internal import Delivery

/// Which result records a notification still owes.
struct ResultKinds: OptionSet, Sendable {
    let rawValue: UInt8

    static let outcome = ResultKinds(rawValue: 1)
    static let unregistered = ResultKinds(rawValue: 2)
    static let deadLetter = ResultKinds(rawValue: 4)
    /// In place of the others: it is sent again later.
    static let retry = ResultKinds(rawValue: 8)

    /// One of the kinds that are in the set.
    var first: ResultKinds? {
        if contains(.outcome) { return .outcome }
        if contains(.unregistered) { return .unregistered }
        if contains(.deadLetter) { return .deadLetter }
        return contains(.retry) ? .retry : nil
    }
}

/// Where a notification stands.
enum Stage: Sendable {
    /// The place is empty.
    case free
    /// An earlier notification of its row must end first.
    case waiting
    /// It may be sent as soon as a connection takes it.
    case ready
    /// It is on its way, or was sent and has no answer yet.
    case sent
    /// It is sent again after a while.
    case parked
    /// It has its verdict; its result records are on their way.
    case reporting
    /// It has its verdict, which is not told before the guard lets go.
    case guarded

    /// True while it waits for something other than an answer or an acknowledgement.
    var isIdle: Bool {
        switch self {
        case .waiting, .ready, .parked, .guarded: true
        case .free, .sent, .reporting: false
        }
    }
}

/// A notification from the moment its record was taken until Kafka has all that it leaves behind.
struct OpenNotification: Sendable {
    var notification = Notification()
    var id = NotificationID(high: 0, low: 0)
    /// The place of its record among the open ones.
    var record = 0
    var assignment = AssignmentID(0)
    var stage = Stage.free
    /// Changes when a deadline that was set for it is void.
    var generation: UInt32 = 0
    /// Monotonic nanoseconds at which its record was taken.
    var takenAt: UInt64 = 0
    var attempts = 0
    /// How many of them were made before it came back from the retry topic.
    var attemptsBefore = 0
    /// True when it came from the retry topic.
    var isReturned = false
    /// How long before ``takenAt`` its record was first taken, in nanoseconds.
    var age: UInt64 = 0
    /// True when Kafka finds its record too large for the retry topic.
    var isUnspillable = false
    /// Rises with every push that is taken: tells the newer one of two.
    var birth: UInt64 = 0
    /// What it may replace on a device; nil when it was not sent, or replaces nothing.
    var sentKey: UInt64?
    /// Why an attempt has no answer; nil when none is in doubt.
    var doubt: String?
    /// How many attempts are in doubt.
    var doubts = 0
    /// How often Apple had too much for its device.
    var throttles = 0
    /// How often Apple had trouble of its own.
    var failures = 0
    /// When it is ready again, while it is parked.
    var resumesAt: UInt64 = 0
    /// How often in a row it was not even sent.
    var refusals = 0
    /// How many of them were answered by a refusal of the credential: they use nothing up.
    var heldAttempts = 0
    /// True when it was sent while the guard held its line, to see whether it still must.
    var isProbe = false
    /// True when it had a verdict that was kept, and is sent again to see whether that still holds.
    var isAskedAgain = false
    var sentAt: Int64?
    /// True after a first answer that calls for exactly one more try.
    var wasRetriedOnce = false
    var lastStatus: Int?
    var lastReason: String?
    var answeredAt: Int64?
    /// Apple's time of a 410, in milliseconds since 1970.
    var unregisteredAt: Int64?
    /// What orders it: equal keys go one after the other.
    var key: UInt64?
    /// True when it has waited for time to pass, or behind one that did.
    var isSetAside = false
    /// The place of the next notification of the same key.
    var successor: Int?
    var outcome: Outcome?
    var owed: ResultKinds = []
    var unacknowledged: ResultKinds = []
    /// Refused by Kafka, and offered again after a while.
    var withheld: ResultKinds = []
    /// How much of the dead letter is left out, because Kafka refuses its size.
    var omission = DeadLetterOmission.nothing
    /// True when the outcome leaves out what may be long, because Kafka refuses its size.
    var isOutcomeShort = false

    /// The attempts that count for back-off and giving up.
    var countedAttempts: Int { attempts - heldAttempts }

    /// Empties the place; the notification's buffers stay for the next one.
    mutating func reset() {
        var fresh = OpenNotification()
        swap(&fresh.notification, &notification)
        fresh.generation = generation &+ 1
        self = fresh
    }
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

/// The open notifications, in numbered places whose buffers are used again.
struct OpenNotifications: Sendable {
    private var places: [OpenNotification] = []
    private var free: [Int] = []

    var count: Int { places.count - free.count }
    var indices: Range<Int> { places.indices }

    init(capacity: Int) {
        places.reserveCapacity(capacity)
        free.reserveCapacity(capacity)
    }

    subscript(index: Int) -> OpenNotification {
        _read { yield places[index] }
        _modify { yield &places[index] }
    }

    mutating func open() -> Int {
        if let index = free.popLast() { return index }
        places.append(OpenNotification())
        return places.count - 1
    }

    mutating func close(_ index: Int) {
        places[index].reset()
        free.append(index)
    }
}
