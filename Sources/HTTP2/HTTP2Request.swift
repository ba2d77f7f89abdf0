/// A push as an HTTP/2 request: a POST with a fixed set of fields.
///
/// One with a ``channelID`` is a broadcast, whose ``identifier`` has another name.
///
/// Designed to be reused. An empty array means that the field is absent.
public struct HTTP2Request: Equatable, Sendable {
    /// The value of `:path`: `/3/device/…`, or `/4/broadcasts/apps/…`.
    public var path: [UInt8] = []
    /// The value of `:authority`: the host.
    public var authority: [UInt8] = []
    /// The value of `authorization`: `bearer …`.
    public var authorization: [UInt8] = []
    /// The value of `apns-id`, or of `apns-request-id` in a broadcast.
    public var identifier: [UInt8] = []
    /// The value of `apns-push-type`.
    public var pushType: [UInt8] = []
    /// The value of `apns-expiration`.
    public var expiration: [UInt8] = []
    /// The value of `apns-priority`.
    public var priority: [UInt8] = []
    /// The value of `apns-topic`.
    public var topic: [UInt8] = []
    /// The value of `apns-collapse-id`.
    public var collapseID: [UInt8] = []
    /// The value of `apns-channel-id`.
    public var channelID: [UInt8] = []
    /// The body.
    public var body: [UInt8] = []

    /// Creates a request without fields.
    public init() {}
}
