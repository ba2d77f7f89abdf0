internal import JSON

/// A payload's instructions for a Live Activity.
struct ActivityContent {
    /// What happens to the activity.
    enum Event: String {
        /// It starts.
        case start
        /// It is updated.
        case update
        /// It ends, but may stay visible.
        case end
    }

    private(set) var event: Event?
    /// The timestamp, in seconds since 1970.
    private(set) var timestamp: Int64?
    /// The content state, as JSON without spaces.
    private(set) var contentState: String?
    /// The attributes at the start, as JSON without spaces.
    private(set) var attributes: String?
    /// The type name of the attributes.
    private(set) var attributesType: String?
    /// The broadcast channel that will update it.
    private(set) var channel: String?
    /// When its content becomes stale, in seconds since 1970.
    private(set) var staleDate: Int64?
    /// When it is removed from the screen after its end, in seconds since 1970.
    private(set) var dismissalDate: Int64?

    /// Reads a payload; one that is not valid contains no instructions.
    init(_ payload: [UInt8]) {
        var tape = JSONTape()
        do throws(JSONError) { try tape.read(payload) } catch { return }
        guard let aps = tape.member("aps", of: 0, in: payload) else { return }
        event = Self.text("event", of: aps, tape, payload).flatMap { Event(rawValue: $0) }
        timestamp = Self.seconds("timestamp", of: aps, tape, payload)
        contentState = Self.object("content-state", of: aps, tape, payload)
        attributes = Self.object("attributes", of: aps, tape, payload)
        attributesType = Self.text("attributes-type", of: aps, tape, payload)
        channel = Self.text("input-push-channel", of: aps, tape, payload)
        staleDate = Self.seconds("stale-date", of: aps, tape, payload)
        dismissalDate = Self.seconds("dismissal-date", of: aps, tape, payload)
    }

    private static func text(
        _ name: String, of node: Int, _ tape: borrowing JSONTape, _ payload: [UInt8]
    ) -> String? {
        tape.member(name, of: node, in: payload).flatMap { tape.text(of: $0, in: payload) }
    }

    private static func seconds(
        _ name: String, of node: Int, _ tape: borrowing JSONTape, _ payload: [UInt8]
    ) -> Int64? {
        tape.member(name, of: node, in: payload).flatMap { tape.integer(of: $0, in: payload) }
    }

    private static func object(
        _ name: String, of node: Int, _ tape: borrowing JSONTape, _ payload: [UInt8]
    ) -> String? {
        guard let value = tape.member(name, of: node, in: payload) else { return nil }
        var compact: [UInt8] = []
        compact.appendJSON(of: value, on: tape, in: payload)
        return String(decoding: compact, as: UTF8.self)
    }
}
