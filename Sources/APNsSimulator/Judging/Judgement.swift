/// What the simulator answers to a request.
public struct Judgement: Equatable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// Apple's word for what is wrong; nil when the push is accepted.
    public var reason: String?
    /// Since when the device token is known to be dead, in milliseconds since 1970.
    public var timestamp: Int64?
    /// The whole body, instead of the one that Apple would write.
    public var ownBody: [UInt8]?
    /// The seconds of a `retry-after` field.
    public var retryAfter: Int?

    /// The identifier of the channel that was made.
    public var channelID: [UInt8]?
    /// The request was about broadcasts: its identifier is answered as `apns-request-id`.
    public var isAboutBroadcasts = false

    /// Describes a response.
    public init(status: Int, reason: String? = nil, timestamp: Int64? = nil) {
        self.status = status
        self.reason = reason
        self.timestamp = timestamp
    }

    /// The push is accepted: 200 and no body.
    public static let accepted = Judgement(status: 200)

    /// True when the body is JSON as Apple writes it.
    var hasJSON: Bool { ownBody == nil && reason != nil }

    /// The body of the response, as Apple writes it; empty when the push is accepted.
    public var body: [UInt8] {
        if let ownBody { return ownBody }
        guard let reason else { return [] }
        var text = "{\"reason\":\"\(reason)\""
        if let timestamp { text += ",\"timestamp\":\(timestamp)" }
        return [UInt8]((text + "}").utf8)
    }
}
