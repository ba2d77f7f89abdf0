/// The response of APNs to one push.
public struct APNsResponse: Equatable, Sendable {
    /// The value of `:status`.
    public var status: Int
    /// Apple's reason; empty when there is none.
    public var reason: String
    /// When the device token became invalid, in milliseconds since 1970; nil when Apple does not
    /// say.
    public var timestamp: Int64?
    /// The value of `apns-unique-id`; empty when there is none.
    public var uniqueID: [UInt8]
    /// The value of `retry-after` in seconds; nil when there is none.
    public var retryAfter: Int?

    /// The ID of a channel, in a response about channels; else empty.
    public var channelID: [UInt8] = []
    /// The body of a success, in a response about channels; else empty.
    public var content: [UInt8] = []

    /// It carries its request's `apns-id`, as all responses of APNs do.
    public var isIdentified: Bool

    /// Describes a response.
    public init(
        status: Int, reason: String = "", timestamp: Int64? = nil, uniqueID: [UInt8] = [],
        retryAfter: Int? = nil, isIdentified: Bool = true
    ) {
        self.isIdentified = isIdentified
        self.status = status
        self.reason = reason
        self.timestamp = timestamp
        self.uniqueID = uniqueID
        self.retryAfter = retryAfter
    }

    /// The row of the reason table that matches it.
    public var row: ReasonRow {
        ReasonTable.row(status: status, reason: reason, isIdentified: isIdentified)
    }

    /// True when APNs has accepted the push.
    public var isAccepted: Bool { status == 200 && isIdentified }

    /// What to do about it.
    public var reaction: Reaction { row.reaction }
}
