internal import JSON

/// What the body of a request to make a channel says.
struct ChannelOrder: Equatable, Sendable {
    /// The value of `push-type`; nil when there is none.
    let pushType: String?
    /// The value of `message-storage-policy`; nil when it is not a whole number.
    let storagePolicy: Int64?

    /// The only push type that can be broadcast.
    static let liveActivity = "LiveActivity"

    /// Reads a body; nil when it is not a JSON object.
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

    /// Whether a broadcast push begins a Live Activity, which only a push to a device can.
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
