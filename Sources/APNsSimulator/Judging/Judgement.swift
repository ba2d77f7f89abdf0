/// The simulator's response to a request.
public struct Judgement: Equatable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// Apple's reason; nil when the push is accepted.
    public var reason: String?
    /// When the device token became invalid, in milliseconds since 1970.
    public var timestamp: Int64?
    /// The complete body, instead of Apple's.
    public var ownBody: [UInt8]?
    /// The seconds of a `retry-after` field.
    public var retryAfter: Int?

    /// The ID of the channel that was created.
    public var channelID: [UInt8]?
    /// True for requests about broadcasts: the identifier is returned as `apns-request-id`.
    public var isAboutBroadcasts = false

    /// Creates a response.
    public init(status: Int, reason: String? = nil, timestamp: Int64? = nil) {
        self.status = status
        self.reason = reason
        self.timestamp = timestamp
    }

    /// The push is accepted: 200 without a body.
    public static let accepted = Judgement(status: 200)

    /// True when the body is JSON in Apple's format.
    var hasJSON: Bool { ownBody == nil && reason != nil }

    /// The body of the response in Apple's format; empty when the push is accepted.
    public var body: [UInt8] {
        if let ownBody { return ownBody }
        guard let reason else { return [] }
        var text = "{\"reason\":\"\(reason)\""
        if let timestamp { text += ",\"timestamp\":\(timestamp)" }
        return [UInt8]((text + "}").utf8)
    }
}
