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

extension HTTP2Request {
    /// The fields as a connection writes them: pseudo-header fields first, without empty fields.
    ///
    /// Throws ``HTTP2Error/Code/badField`` or ``HTTP2Error/Code/fieldsTooLong`` if a connection
    /// would not accept the request.
    public func writtenFields() throws(HTTP2Error) -> [(name: String, value: [UInt8])] {
        try check()
        let constant = [(":method", Array("POST".utf8)), (":scheme", Array("https".utf8))]
        return constant
            + RequestField.allCases.compactMap { field in
                let value = value(of: field)
                return value.isEmpty ? nil : ("\(field.name)", value)
            }
    }
}
