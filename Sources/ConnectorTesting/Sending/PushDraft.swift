public import Delivery
internal import JSON

/// A push in the terms of a command line.
///
/// It becomes a canonical event, so that the mapping of connectors validates it and sets the
/// defaults.
public struct PushDraft: Sendable {
    /// The device tokens, at least one.
    public var deviceTokens: [String]
    /// The payload: a JSON object.
    public var payload: [UInt8]
    /// The push type; nil for the default.
    public var pushType: PushType?
    /// The priority; nil for the default of the push type.
    public var priority: Int?
    /// The collapse ID; nil for none.
    public var collapseID: String?
    /// The expiration: 0 or a time; nil for none.
    public var expiration: String?
    /// The time to live; nil for none.
    public var timeToLive: String?

    /// Creates a push with a payload.
    public init(to deviceTokens: [String], payload: [UInt8]) {
        self.deviceTokens = deviceTokens
        self.payload = payload
    }

    /// The payload of an alert.
    public static func payload(
        title: String?, body: String?, sound: String?, badge: Int?
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("aps")
        writer.beginObject()
        if title != nil || body != nil {
            writer.name("alert")
            writer.beginObject()
            write("title", title, to: &writer)
            write("body", body, to: &writer)
            writer.endObject()
        }
        write("sound", sound, to: &writer)
        if let badge {
            writer.name("badge")
            writer.integer(badge)
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    /// The canonical event.
    public var event: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.array("device_tokens", deviceTokens) { $1.string($0) }
        Self.write("push_type", pushType?.rawValue, to: &writer)
        if let priority {
            writer.name("priority")
            writer.integer(priority)
        }
        Self.write("collapse_id", collapseID, to: &writer)
        Self.write("expiration", expiration, to: &writer)
        Self.write("ttl", timeToLive, to: &writer)
        writer.name("payload")
        writer.raw(payload)
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ name: String, _ text: String?, to writer: inout JSONWriter) {
        guard let text else { return }
        writer.name(name)
        writer.string(text)
    }
}
