/// What finally became of a notification.
public enum Verdict: String, CaseIterable, Sendable {
    /// Apple took it.
    case accepted
    /// Apple refused it for good.
    case rejected
    /// It was not sent, or not any more.
    case dropped
    /// It was sent and nobody knows what happened to it.
    case unknown
}

/// The record of what happened to one notification.
///
/// Published on the outcomes topic; its JSON is described by `outcome.v1.json`. Times are
/// milliseconds since 1970.
public struct Outcome: Sendable {
    /// What became of it.
    public var verdict: Verdict
    /// Apple's reason of a rejection, or ours of a drop or doubt; nil when accepted.
    public var reason: String?
    /// True when Apple's response makes the device token suspect, but does not prove it dead.
    public var isSuspect = false
    /// The status of the response that decided; nil when no response did.
    public var status: Int?
    /// The status of the last response, where that response did not decide.
    public var lastStatus: Int?
    /// The reason of the last response, where that response did not decide.
    public var lastReason: String?
    /// The `apns-id` of every attempt.
    public var id: NotificationID
    /// Apple's `apns-unique-id`, in the development environment.
    public var uniqueID: [UInt8] = []
    /// How often it was sent.
    public var attempts = 0
    /// When it was last sent.
    public var sentAt: Int64?
    /// When the last response came.
    public var answeredAt: Int64?

    /// An outcome with its verdict and nothing else.
    public init(_ verdict: Verdict, reason: String? = nil, id: NotificationID) {
        self.verdict = verdict
        self.reason = reason
        self.id = id
    }
}
