internal import Encoding
internal import EventLoop
internal import JSON

/// Converts a provider's push to the canonical event read by connectors without `notification`.
///
/// The event contains the payload exactly as the provider sent it.
public struct EventWriter: ~Copyable {
    /// The app that a provider pushes to.
    public struct App: Equatable, Sendable {
        /// Its name in the settings.
        public var name: String
        /// Its bundle identifier.
        public var bundleID: String
        /// `production` or `development`.
        public var environment: String

        /// Creates an app.
        public init(name: String, bundleID: String, environment: String) {
            self.name = name
            self.bundleID = bundleID
            self.environment = environment
        }
    }

    private var tape = JSONTape()
    private var wrapped: [UInt8] = []

    /// Creates a writer.
    public init() {}

    /// The key of the event's record: the device token in lower-case hexadecimal digits, so that
    /// pushes to one device stay in order.
    public static func key(of packet: borrowing PushPacket) -> [UInt8] {
        Hexadecimal.encode(packet.deviceToken)
    }

    /// The event; nil when the payload is not a JSON object that contains an object `aps`.
    public mutating func event(of packet: borrowing PushPacket, for app: App) -> [UInt8]? {
        guard let isSilent = look(into: packet.payload) else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        writer.name(ascii: "device_token")
        writer.string(utf8: Self.key(of: packet))
        writer.name(ascii: "bundle_id")
        writer.string(app.bundleID)
        writer.name(ascii: "environment")
        writer.string(app.environment)
        writer.name(ascii: "push_type")
        writer.string(isSilent ? "background" : "alert")
        if let priority = isSilent ? 5 : packet.priority {
            writer.name(ascii: "priority")
            writer.integer(priority)
        }
        if let expiration = packet.expiration {
            writer.name(ascii: "expiration")
            writer.integer(expiration)
        }
        write(packet, app, &writer)
        writer.name(ascii: "payload")
        writer.raw(packet.payload)
        writer.endObject()
        return writer.bytes
    }

    /// Writes details for the provider's use, which are not sent to the device.
    private func write(_ packet: borrowing PushPacket, _ app: App, _ writer: inout JSONWriter) {
        writer.name(ascii: "legacy")
        writer.beginObject()
        writer.name(ascii: "app")
        writer.string(app.name)
        writer.name(ascii: "command")
        writer.integer(packet.command.rawValue)
        writer.name(ascii: "identifier")
        writer.integer(packet.identifier)
        writer.endObject()
    }

    /// Whether a payload shows nothing, so that it is a background push; nil when it is not a JSON
    /// object that contains an object `aps`.
    ///
    /// It is parsed inside an array, at the same depth as in the event.
    private mutating func look(into payload: [UInt8]) -> Bool? {
        wrapped.removeAll(keepingCapacity: true)
        wrapped.append(UInt8(ascii: "["))
        wrapped.append(contentsOf: payload)
        wrapped.append(UInt8(ascii: "]"))
        return wrapped.withRawSpan { bytes -> Bool? in
            guard (try? tape.read(bytes)) != nil, tape.count > 1, tape[1].kind == .object,
                tape.next(after: 1) == tape.count, let aps = tape.member("aps", of: 1, in: bytes),
                tape[aps].kind == .object
            else { return nil }
            func has(_ name: String) -> Bool {
                tape.member(name, of: aps, in: bytes).map { tape[$0].kind != .null } ?? false
            }
            guard let content = tape.member("content-available", of: aps, in: bytes),
                tape.integer(of: content, in: bytes) == 1
            else { return false }
            return !has("alert") && !has("badge") && !has("sound")
        }
    }
}
