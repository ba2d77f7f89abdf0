/// When Apple stops trying to deliver a notification: the value of `apns-expiration`.
public enum Expiration: Equatable, Sendable, BitwiseCopyable {
    /// No header: Apple stores the notification for up to 30 days.
    case absent
    /// `0`: one attempt, never stored.
    case immediate
    /// Seconds since 1970, above 0.
    case at(seconds: Int64)
}

/// One push as it is to be sent: every field checked, the payload in its final bytes.
///
/// The arrays are buffers that keep their capacity from one record to the next, so that a
/// steady stream of notifications allocates nothing. Text is UTF-8.
public struct Notification: Sendable {
    /// The place of block and token in the connector or event, as written; 0 for a single one.
    public var index = 0
    /// True when its record can make further ones, as connector and event are written: then an
    /// `apns_id` of the event's own is the name that each of them gets its identifier from.
    public var isOneOfSeveral = false
    /// The event's own `apns_id`; nil for the one that follows from the record's place.
    public var ownID: NotificationID?
    /// Lower-case hexadecimal digits, an even number of them.
    public var deviceToken: [UInt8] = []
    /// The place of its app among the connector's apps, 0 where there is one; -1 where it could
    /// not be chosen, so that it is dropped.
    public var app = 0
    /// The app's bundle identifier, without the suffix of a push type.
    public var bundleID: [UInt8] = []
    /// What kind of push it is.
    public var pushType: PushType = .alert
    /// The value of `apns-priority`: 10, 5 or 1.
    public var priority: UInt8 = 10
    /// 1 to 64 bytes of printable ASCII; empty for none.
    public var collapseID: [UInt8] = []
    /// The value of `apns-expiration`.
    public var expiration: Expiration = .absent
    /// After this moment, in milliseconds since 1970, it is not sent any more.
    public var expiresAt: Int64?
    /// True when ``expiresAt`` follows from a time to live.
    public var usesTimeToLive = false
    /// True when nobody wrote a priority, so that it is the one of the push type.
    public var isPriorityDefault = false
    /// When the event happened, in milliseconds since 1970.
    public var eventTime: Int64 = 0
    /// The body of the request: JSON.
    public var payload: [UInt8] = []
    /// Why it is not to be sent; nil when it is.
    public var drop: Drop?

    /// A notification with nothing in it.
    public init() {}

    /// True when it is not sent any more at a time in milliseconds since 1970.
    public func isExpired(at time: Int64) -> Bool { expiresAt.map { $0 <= time } ?? false }

    /// Empties every field and keeps the buffers.
    public mutating func reset() {
        resetAllButTexts()
        deviceToken.removeAll(keepingCapacity: true)
        bundleID.removeAll(keepingCapacity: true)
        collapseID.removeAll(keepingCapacity: true)
        payload.removeAll(keepingCapacity: true)
    }

    /// Empties every field but device token, bundle identifier, collapse ID and payload, each of
    /// which has to be written or emptied by the caller.
    mutating func resetAllButTexts() {
        index = 0
        isOneOfSeveral = false
        ownID = nil
        app = 0
        pushType = .alert
        priority = 10
        expiration = .absent
        expiresAt = nil
        usesTimeToLive = false
        isPriorityDefault = false
        eventTime = 0
        drop = nil
    }
}

/// Why a record or a notification is not sent.
public struct Drop: Equatable, Sendable {
    /// The reason, for programs.
    public var reason: DropReason
    /// What exactly was wrong and where, for people. Holds no device token.
    public var detail: String

    /// Names the reason and what was wrong.
    public init(_ reason: DropReason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}

/// What mapping made of one record.
///
/// `notifications[0..<count]` are valid; the rest are buffers that wait to be used again.
public struct MappedRecord: Sendable {
    /// The buffers; only the first ``count`` are valid.
    public var notifications: [Notification] = []
    /// How many notifications the record makes.
    public var count = 0
    /// True when neither event nor record says when it happened: its time is that of now.
    public var isTimeUnknown = false
    /// True when `when` did not match: there is nothing to send.
    ///
    /// There is nothing to report, either, unless it was asked for: then there is one
    /// notification, which is dropped.
    public var isFiltered = false

    /// Holds nothing yet.
    public init() {}

    /// Forgets the last record and keeps the buffers.
    public mutating func reset() {
        count = 0
        isTimeUnknown = false
        isFiltered = false
    }

    /// Makes room for one more notification and returns its place in ``notifications``.
    public mutating func append() -> Int {
        if count == notifications.count {
            notifications.append(Notification())
        } else {
            notifications[count].reset()
        }
        count += 1
        return count - 1
    }

    /// The same for a caller that writes or empties each of the texts: those of an earlier
    /// notification stand there, which are mostly as long as the new ones.
    public mutating func appendToWriteOver() -> Int {
        guard count < notifications.count else { return append() }
        notifications[count].resetAllButTexts()
        count += 1
        return count - 1
    }
}
