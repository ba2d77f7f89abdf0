internal import Encoding
internal import EventLoop
internal import JSON

/// Turns a provider's push into the canonical event that a connector without `notification` reads.
///
/// The payload stands in the event as the provider wrote it, byte by byte.
public struct EventWriter: ~Copyable {
    /// The app for which a provider pushes.
    public struct App: Equatable, Sendable {
        /// What the settings call it.
        public var name: String
        /// Its bundle identifier.
        public var bundleID: String
        /// `production` or `development`.
        public var environment: String

        /// Names an app.
        public init(name: String, bundleID: String, environment: String) {
            self.name = name
            self.bundleID = bundleID
            self.environment = environment
        }
    }

    private var tape = JSONTape()
    private var wrapped: [UInt8] = []

    /// A writer that has written nothing yet.
    public init() {}

    /// The key of the event's record: the device token in lower-case hexadecimal digits, so that
    /// the pushes to one device stay in their order.
    public static func key(of packet: borrowing PushPacket) -> [UInt8] {
        Hexadecimal.encode(packet.deviceToken)
    }

    /// The event; nil when the payload is not a JSON object that holds an object `aps`.
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

    /// What only the provider knows of the push: nothing of it is sent to a device.
    private func write(_ packet: borrowing PushPacket, _ app: App, _ writer: inout JSONWriter) {
        writer.name(ascii: "legacy")
        writer.beginObject()
        writer.name(ascii: "app")
        writer.string(app.name)
        writer.name(ascii: "command")
        writer.integer(packet.command.rawValue)
        writer.name(ascii: "identifier")
        if let identifier = packet.identifier { writer.integer(identifier) } else { writer.null() }
        writer.endObject()
    }

    /// Whether a payload shows nothing, so that it is for a push in the background; nil when it is
    /// not a JSON object that holds an object `aps`.
    ///
    /// It is read inside an array, as deep as it lies in the event.
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
