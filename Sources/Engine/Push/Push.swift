internal import Delivery

/// One notification from the moment its record is read until Kafka has acknowledged everything that
/// belongs to it.
///
/// Device token or channel ID, collapse ID, bundle identifier and payload are stored in the memory
/// of its record, at the offsets in ``content``. Data that only few pushes need is in
/// ``PushDetails``.
struct Push: Sendable {
    /// The `apns-id` of every attempt.
    var id = NotificationID(high: 0, low: 0)
    /// When its record was taken, postponed by the time for which its app was suspended.
    var takenAt = Instant.distantPast
    /// A number that increases with every push; its upper bits are the wall clock.
    var sequence: UInt64 = 0
    /// When the event happened, in milliseconds since 1970.
    var eventTime: Int64 = 0
    private var expiryTime = Int64.max
    private var expirationSeconds: Int64 = 0
    private var sentTime = Push.never
    private var responseTime = Push.never

    /// Assigned by ``PushTable/apply(_:to:)`` alone.
    fileprivate(set) var state = State.done
    var pushType = PushType.alert
    var priority: UInt8 = 10
    /// True when it waits and is not counted against the window.
    var waitsOutsideWindow = false
    /// The number of attempts.
    private(set) var attempts: UInt16 = 0
    var app = AppID.none

    var record = RecordID(0)
    /// Its index as written in the connector or event; 0 for a single notification.
    var index: Int32 = 0
    fileprivate(set) var generation: UInt32 = 0
    /// Its entry in the side table; 0 for none.
    fileprivate(set) var details: UInt32 = 0
    /// True when it has an entry in the side table.
    var hasDetails: Bool { details != 0 }
    var content = Content()
    /// True when a string of its payload was cut.
    var isTruncated = false
    /// Whether it is for a device, or a broadcast.
    var destination = Destination.Kind.device
    var isBroadcast: Bool { destination == .channel }

    static let never = Int64.min

    /// When its last attempt that counts was sent, in milliseconds since 1970; nil when none was.
    var sentAt: Int64? { sentTime == Self.never ? nil : sentTime }

    /// Records when an attempt that counts was sent; returns when the one before it was.
    mutating func noteSent(at time: Int64) -> Int64? {
        let earlier = sentAt
        sentTime = time
        return earlier
    }

    /// When APNs last responded, in milliseconds since 1970; nil when it never did.
    var respondedAt: Int64? { responseTime == Self.never ? nil : responseTime }

    /// Records when APNs responded.
    mutating func noteResponse(at time: Int64) { responseTime = time }

    /// The time after which it is not sent, in milliseconds since 1970; nil for no limit.
    var expiresAt: Int64? {
        get { expiryTime == .max ? nil : expiryTime }
        set { expiryTime = newValue ?? .max }
    }

    /// The value of `apns-expiration`.
    var expiration: Expiration {
        get {
            switch expirationSeconds {
            case Self.never: .absent
            case 0: .immediate
            default: .at(seconds: expirationSeconds)
            }
        }
        set {
            expirationSeconds =
                switch newValue {
                case .absent: Self.never
                case .immediate: 0
                case .at(let seconds): seconds
                }
        }
    }

    /// Counts an attempt.
    mutating func countAttempt() { attempts = attempts == .max ? .max : attempts + 1 }

    /// Takes back an attempt that was not sent after all.
    mutating func takeBackAttempt() { attempts = attempts == 0 ? 0 : attempts - 1 }

    /// Sending was suspended for so long, which does not count towards its deadline.
    mutating func postpone(by time: Duration) { takenAt = takenAt + time }

    /// Restores what a retry record says.
    mutating func restore(_ state: RetryState) {
        id = state.id
        attempts = UInt16(clamping: state.attempts)
        sequence = state.sequence
        sentTime = state.sentAt ?? Self.never
        responseTime = state.respondedAt ?? Self.never
    }

    /// True when it has expired at a time in milliseconds since 1970.
    func isExpired(at time: Int64) -> Bool { expiryTime <= time }

    /// The position of its strings in the memory of its record: payload and labels next to each
    /// other, and so are device token, collapse ID and bundle identifier.
    struct Content: Sendable, BitwiseCopyable {
        var start: UInt32 = 0
        var payloadStart: UInt32 = 0
        var payloadCount: UInt32 = 0
        /// The size of the device token, or of the channel ID.
        var destinationCount: UInt32 = 0
        /// 0 for the bundle identifier of its app, ``noBundleID`` for none at all.
        var bundleCount: UInt16 = 0
        /// 0 without labels, which follow the payload.
        var labelsCount: UInt16 = 0
        /// A collapse ID has 64 bytes at most.
        var collapseCount: UInt8 = 0

        static let noBundleID = UInt16.max
    }
}

extension PushTable {
    /// Moves a push to the state that follows from an event. No other code assigns a state.
    mutating func apply(_ event: Push.Event, to id: PushID) {
        let slot = id.slot
        precondition(self[slot].generation == id.generation, "a push that is done changes no more")
        guard let next = self[slot].state.after(event) else {
            preconditionFailure("an event that cannot happen in the state of the push")
        }
        self[slot].state = next
    }

    /// Prepares a slot for a new push.
    mutating func renew(_ slot: Int) {
        let generation = PushID.next(after: self[slot].generation)
        self[slot] = Push()
        self[slot].generation = generation
        self[slot].state = .new
    }

    /// Exchanges what two slots contain: each ID then names the other push, in the state that its
    /// slot was in.
    mutating func exchange(_ one: PushID, _ other: PushID) {
        let (left, right) = (self[one], self[other])
        self[one] = right
        self[one].state = left.state
        self[one].generation = left.generation
        self[other] = left
        self[other].state = right.state
        self[other].generation = right.generation
        exchangeInRecords(one, other)
    }

    mutating func setDetails(_ number: UInt32, of slot: Int) { self[slot].details = number }
}
