internal import JSON

/// The body of a request to create a channel.
struct ChannelOrder: Equatable, Sendable {
    /// The value of `push-type`; nil when it is absent.
    let pushType: String?
    /// The value of `message-storage-policy`; nil when it is not an integer.
    let storagePolicy: Int64?

    /// True when it has a member that Apple does not know.
    let hasUnknownMember: Bool

    /// The only push type that can be broadcast.
    static let liveActivity = "LiveActivity"

    /// Parses a body; nil when it is not a JSON object.
    init?(_ body: [UInt8]) {
        var tape = JSONTape()
        do throws(JSONError) {
            try tape.read(body)
        } catch {
            return nil
        }
        guard tape[0].kind == .object else { return nil }
        pushType = tape.member("push-type", of: 0, in: body).flatMap {
            tape.text(of: $0, in: body)
        }
        storagePolicy = tape.member("message-storage-policy", of: 0, in: body).flatMap {
            tape.integer(of: $0, in: body)
        }
        hasUnknownMember = Self.hasUnknownMember(tape, body)
    }

    private static func hasUnknownMember(_ tape: borrowing JSONTape, _ body: [UInt8]) -> Bool {
        let (first, end) = tape.children(of: 0)
        var name = first
        while name < end {
            let text = tape.text(of: name, in: body)
            if text != "push-type" && text != "message-storage-policy" { return true }
            name = tape.next(after: tape.next(after: name))
        }
        return false
    }

    /// Whether a broadcast push starts a Live Activity, which only a push to a device can.
    static func beginsActivity(_ body: [UInt8]) -> Bool {
        var tape = JSONTape()
        do throws(JSONError) {
            try tape.read(body)
        } catch {
            return false
        }
        guard let aps = tape.member("aps", of: 0, in: body),
            let event = tape.member("event", of: aps, in: body)
        else { return false }
        return tape.text(of: event, in: body) == "start"
    }
}
