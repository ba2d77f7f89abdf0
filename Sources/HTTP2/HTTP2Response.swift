/// The peer's response to a request.
public struct HTTP2Response: Equatable, Sendable {
    /// The value of `:status`.
    public var status: Int
    /// The value of `apns-id`, or of `apns-request-id`, most significant byte first; nil when it is
    /// absent or not a UUID.
    public var identifier: UInt128?
    /// The value of `apns-unique-id`, empty when absent.
    public var uniqueID: [UInt8]
    /// The value of `retry-after`, empty when absent.
    public var retryAfter: [UInt8]
    /// The value of `apns-channel-id`, empty when absent.
    public var channelID: [UInt8]
    /// The first 4 KB of the body, or as many bytes as the request says.
    public var body: [UInt8]

    /// Creates a response.
    public init(
        status: Int, identifier: UInt128? = nil, uniqueID: [UInt8] = [],
        retryAfter: [UInt8] = [], channelID: [UInt8] = [], body: [UInt8] = []
    ) {
        self.identifier = identifier
        self.status = status
        self.uniqueID = uniqueID
        self.retryAfter = retryAfter
        self.channelID = channelID
        self.body = body
    }
}
