/// What APNs sent back for one push.
public struct APNsResponse: Equatable, Sendable {
    /// The value of `:status`.
    public var status: Int
    /// The word that says why; empty when there is none.
    public var reason: String
    /// Since when the device token is no longer valid, in milliseconds since 1970, where Apple says
    /// it.
    public var timestamp: Int64?
    /// The value of `apns-unique-id`; empty when there is none.
    public var uniqueID: [UInt8]
    /// The value of `retry-after` in seconds, where there is one.
    public var retryAfter: Int?

    /// It carries the `apns-id` of its request, as everything does that comes from APNs.
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

    /// What the table of reasons says about it.
    public var row: ReasonRow {
        ReasonTable.row(status: status, reason: reason, isIdentified: isIdentified)
    }

    /// True when APNs has taken the push.
    public var isAccepted: Bool { status == 200 && isIdentified }

    /// What is to be done about it.
    public var reaction: Reaction { row.reaction }
}
