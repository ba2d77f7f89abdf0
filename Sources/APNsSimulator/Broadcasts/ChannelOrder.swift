internal import JSON

/// The body of a request to create a channel.
struct ChannelOrder: Equatable, Sendable {
    /// The value of `push-type`; nil when it is absent.
    let pushType: String?
    /// The value of `message-storage-policy`; nil when it is not an integer.
    let storagePolicy: Int64?

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
