internal import JSON

extension Evaluator {
    /// Parses a value's event into the tape: the only function that knows event formats.
    mutating func readEvent(in value: RawSpan) throws(EventFault) -> EventBytes {
        root = 0
        switch plan.format {
        case .json: return .value(from: try readJSON(value))
        case .cloudEvents: return try readCloudEvent(value)
        }
    }

    /// Where the JSON text of a value begins.
    func start(of value: RawSpan) -> Int {
        // No JSON text begins with 0: that is the magic byte before a registry's four-byte schema
        // ID.
        value.byteCount >= 5 && value.byte(at: 0) == 0 ? 5 : 0
    }

    mutating func readJSON(_ value: RawSpan) throws(EventFault) -> Int {
        let start = start(of: value)
        do throws(JSONError) {
            try tape.read(value.extracting(start...))
        } catch {
            throw EventFault(
                words: value.byteCount == 0
                    ? "the value is empty"
                    : "the value is not valid JSON: \(error.message)"
                        + " at byte \(error.offset + start)")
        }
        return start
    }
}
