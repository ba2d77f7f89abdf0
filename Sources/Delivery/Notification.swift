/// When Apple stops trying to deliver a notification: the value of `apns-expiration`.
public enum Expiration: Equatable, Sendable, BitwiseCopyable {
    /// No header: Apple stores the notification for up to 30 days.
    case absent
    /// `0`: one attempt, never stored.
    case immediate
    /// Seconds since 1970, above 0.
    case at(seconds: Int64)
}

/// One push ready to be sent: every field validated, the payload in its final bytes.
///
/// The arrays are buffers that keep their capacity from one record to the next, so that a steady
/// stream of notifications allocates nothing. Strings are UTF-8.
public struct Notification: Sendable {
    /// The index of block and token, or block and element, as written in the connector or event; 0
    /// for a single one.
    public var index = 0
    /// True when its record may produce several, according to connector and event: each of them
    /// then derives its identifier from the event's own `apns_id`, if there is one.
    public var isOneOfSeveral = false
    /// The event's own `apns_id`; nil for the one derived from the record's offset.
    public var ownID: NotificationID?
    /// The device, or the channel of a broadcast.
    public var destination = Destination()
    /// The index of its app in the connector's list, 0 if there is only one; -1 if none could be
    /// determined, so that it is dropped.
    public var app = 0
    /// The app's bundle identifier, without the suffix of a push type.
    public var bundleID: [UInt8] = []
    /// The push type.
    public var pushType: PushType = .alert
    /// The value of `apns-priority`: 10, 5 or 1; 0 for none, as for `mdm`.
    public var priority: UInt8 = 10
    /// 1 to 64 bytes of printable ASCII; empty for none.
    public var collapseID: [UInt8] = []
    /// The value of `apns-expiration`.
    public var expiration: Expiration = .absent
    /// The time after which it is not sent any more, in milliseconds since 1970.
    public var expiresAt: Int64?
    /// True when ``expiresAt`` was computed from a time to live.
    public var usesTimeToLive = false
    /// True when no priority was set, so that the push type's default applies.
    public var isPriorityDefault = false
    /// When the event happened, in milliseconds since 1970.
    public var eventTime: Int64 = 0
    /// The body of the request: JSON.
    public var payload: [UInt8] = []
    /// True when a string of the payload was cut because the payload was too large.
    public var isTruncated = false
    /// The connector's labels as a JSON object; empty when it has none.
    public var labels: [UInt8] = []
    /// Which labels have no value, and why, for display; nil when all are as written.
    public var labelFault: String?
    /// Why it is dropped; nil when it is to be sent.
    public var drop: Drop?

    /// Creates an empty notification.
    public init() {}

    /// True when it is a broadcast.
    public var isBroadcast: Bool { destination.kind == .channel }

    /// The maximum size of its payload in bytes.
    public var payloadLimit: Int { destination.kind.payloadLimit(for: pushType) }

    /// True when it must no longer be sent at a time in milliseconds since 1970.
    public func isExpired(at time: Int64) -> Bool { expiresAt.map { $0 <= time } ?? false }

    /// Clears every field, keeping the buffers.
    public mutating func reset() {
        resetAllButTexts()
        destination.identifier.removeAll(keepingCapacity: true)
        bundleID.removeAll(keepingCapacity: true)
        collapseID.removeAll(keepingCapacity: true)
        payload.removeAll(keepingCapacity: true)
        labels.removeAll(keepingCapacity: true)
    }

    /// Clears every field except those that contain text or JSON: the destination's identifier,
    /// bundle identifier, collapse ID, payload and labels, which the caller must write or clear.
    mutating func resetAllButTexts() {
        index = 0
        isOneOfSeveral = false
        ownID = nil
        app = 0
        destination.kind = .device
        pushType = .alert
        priority = 10
        expiration = .absent
        expiresAt = nil
        usesTimeToLive = false
        isPriorityDefault = false
        eventTime = 0
        isTruncated = false
        labelFault = nil
        drop = nil
    }
}

/// Why a record or a notification is dropped.
public struct Drop: Equatable, Sendable {
    /// The machine-readable reason.
    public var reason: DropReason
    /// What is wrong and where, in the same words for each event: outcomes can be grouped by it.
    public var cause: String
    /// What follows it for display: a count or a position, which differ between events.
    public var specifics: String

    /// Creates a drop.
    public init(_ reason: DropReason, _ cause: String, specifics: String = "") {
        self.reason = reason
        self.cause = cause
        self.specifics = specifics
    }

    /// What exactly is wrong and where, for display. Contains no device token.
    public var detail: String { specifics.isEmpty ? cause : cause + specifics }
}

/// The result of mapping one record.
///
/// `notifications[0..<count]` are valid; the rest are buffers for reuse.
public struct MappedRecord: Sendable {
    /// The buffers; only the first ``count`` are valid.
    public var notifications: [Notification] = []
    /// How many notifications the record produces.
    public var count = 0
    /// True when neither event nor record contains a time: the current time is used.
    public var isTimeUnknown = false
    /// True when `when` did not match: there is nothing to send.
    ///
    /// There is nothing to report either, unless requested: in that case there is one notification,
    /// which is dropped.
    public var isSkipped = false
    /// How many elements of the lists of `for_each` match no block, if others do.
    public var skippedElements = 0

    /// Creates an empty value.
    public init() {}

    /// Clears the last record, keeping the buffers.
    public mutating func reset() {
        count = 0
        isTimeUnknown = false
        isSkipped = false
        skippedElements = 0
    }

    /// Makes room for one more notification and returns its index in ``notifications``.
    public mutating func append() -> Int {
        if count == notifications.count {
            notifications.append(Notification())
        } else {
            notifications[count].reset()
        }
        count += 1
        return count - 1
    }

    /// The same for a caller that writes or clears each string: they still contain an earlier
    /// notification's, which are usually as long as the new ones.
    public mutating func appendToWriteOver() -> Int {
        guard count < notifications.count else { return append() }
        notifications[count].resetAllButTexts()
        count += 1
        return count - 1
    }
}
