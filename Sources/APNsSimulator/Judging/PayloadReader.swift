internal import JSON

/// Checks that a payload is a JSON object; its buffer is reused for the next payload.
struct PayloadReader: ~Copyable {
    private var tape = JSONTape()

    mutating func isObject(_ body: [UInt8]) -> Bool {
        do throws(JSONError) {
            try tape.read(body)
        } catch {
            return false
        }
        return tape[0].kind == .object
    }

    /// Whether the payload last passed to ``isObject(_:)`` has `content-available` in its `aps` and
    /// nothing to show.
    func isOnlyContentAvailable(_ body: [UInt8]) -> Bool {
        guard let aps = tape.member("aps", of: 0, in: body), tape[aps].kind == .object,
            tape.member("content-available", of: aps, in: body) != nil
        else { return false }
        return ["alert", "badge", "sound"].allSatisfy {
            tape.member($0, of: aps, in: body) == nil
        }
    }
}
