internal import JSON

/// Whether a payload is a JSON object; its buffer is used again for the next payload.
struct PayloadCheck: ~Copyable {
    private var tape = JSONTape()

    mutating func isObject(_ body: [UInt8]) -> Bool {
        do throws(JSONError) {
            try tape.read(body)
        } catch {
            return false
        }
        return tape[0].kind == .object
    }
}
