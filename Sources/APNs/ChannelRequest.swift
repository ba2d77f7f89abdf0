public import Delivery
internal import HTTP2
internal import JSON

/// A request about the broadcast channels of an app.
///
/// Source: Apple, *Sending channel management requests to APNs*.
public struct ChannelRequest: Equatable, Sendable {
    /// What is asked.
    public enum Action: Equatable, Sendable {
        /// Creates a channel, whose ID APNs chooses. Repeating it creates another one.
        case create(ChannelStorage)
        /// Reads the settings of a channel.
        case read(channelID: String)
        /// Lists the IDs of all channels of the app.
        case list
        /// Deletes a channel, which cannot be undone.
        case delete(channelID: String)
    }

    /// What is asked.
    public var action: Action
    /// The bundle identifier of the app, without the suffix of a push type.
    public var bundleID: String
    /// The value of `apns-request-id`.
    public var id: NotificationID

    /// Creates a request.
    public init(_ action: Action, bundleID: String, id: NotificationID) {
        self.action = action
        self.bundleID = bundleID
        self.id = id
    }

    /// The value of `:method`.
    public var method: String {
        switch action {
        case .create: "POST"
        case .read, .list: "GET"
        case .delete: "DELETE"
        }
    }

    /// The value of `:path`.
    public var path: String {
        "/1/apps/\(bundleID)/\(action == .list ? "all-channels" : "channels")"
    }

    /// The value of `apns-channel-id`; nil for requests that name no channel.
    public var channelID: String? {
        switch action {
        case .create, .list: nil
        case .read(let channelID), .delete(let channelID): channelID
        }
    }

    /// The body: JSON, or empty.
    var body: [UInt8] {
        guard case .create(let storage) = action else { return [] }
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("message-storage-policy")
        writer.integer(storage.policy)
        writer.name("push-type")
        writer.string(Self.pushType)
        writer.endObject()
        return writer.bytes
    }

    /// The only push type that can be broadcast.
    static var pushType: String { "LiveActivity" }

    /// The most bytes of a response: 10,000 channels have IDs of some 25 characters, to which Apple
    /// sets no limit.
    private static var maxResponse: Int { 4 << 20 }

    /// The request as HTTP/2 sends it.
    func written(to authority: [UInt8], _ token: ProviderToken?) -> HTTP2AnyRequest {
        var fields: [HTTP2AnyRequest.Field] = []
        if let token { fields.append(HTTP2AnyRequest.Field("authorization", token.bytes)) }
        fields.append(HTTP2AnyRequest.Field("apns-request-id", [UInt8](id.description.utf8)))
        if let channelID {
            fields.append(HTTP2AnyRequest.Field("apns-channel-id", [UInt8](channelID.utf8)))
        }
        return HTTP2AnyRequest(
            method: method, path: [UInt8](path.utf8), authority: authority, fields: fields,
            body: body, maxResponse: Self.maxResponse)
    }
}

/// What a channel keeps for devices that are offline; it cannot be changed later.
public enum ChannelStorage: String, CaseIterable, Sendable {
    /// Nothing: Apple's *No Message Stored*, which allows more broadcasts.
    case nothing = "none"
    /// The latest broadcast, for at most 8 hours: Apple's *Most Recent Message Stored*.
    case latest

    /// The value of `message-storage-policy`.
    var policy: Int { self == .latest ? 1 : 0 }
}
