/// The final result of a notification.
public enum Verdict: String, CaseIterable, Sendable {
    /// APNs accepted it.
    case accepted
    /// APNs rejected it permanently.
    case rejected
    /// It was not sent, or not sent again.
    case dropped
    /// It was sent, and the result is unknown.
    case unknown
}

/// The record of the result of one notification.
///
/// Published on the outcomes topic; its JSON is described by `outcome.v1.json`. Times are
/// milliseconds since 1970.
public struct Outcome: Sendable {
    /// The final result.
    public var verdict: Verdict
    /// Apple's reason for a rejection, or ours for a drop or doubt; nil when accepted.
    public var reason: String?
    /// True when Apple's response makes the device token suspect without proving it invalid.
    public var isSuspect = false
    /// The status of the decisive response; nil without one.
    public var status: Int?
    /// The status of the last response, if it was not decisive.
    public var lastStatus: Int?
    /// The reason in the last response, if it was not decisive.
    public var lastReason: String?
    /// The `apns-id` of every attempt.
    public var id: NotificationID
    /// Apple's `apns-unique-id`, in the development environment.
    public var uniqueID: [UInt8] = []
    /// The number of times it was sent.
    public var attempts = 0
    /// When it was last sent.
    public var sentAt: Int64?
    /// When the last response was received.
    public var answeredAt: Int64?

    /// Creates an outcome with its verdict and nothing else.
    public init(_ verdict: Verdict, reason: String? = nil, id: NotificationID) {
        self.verdict = verdict
        self.reason = reason
        self.id = id
    }
}
