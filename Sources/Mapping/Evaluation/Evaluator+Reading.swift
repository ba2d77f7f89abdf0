internal import JSON

extension Evaluator {
    /// Fills the tape with the event that a value holds: the one place that knows formats.
    mutating func readEvent(in value: RawSpan) throws(EventFault) -> EventBytes {
        root = 0
        switch plan.format {
        case .json: return .value(from: try readJSON(value))
        case .cloudEvents: return try readCloudEvent(value)
        }
    }

    /// Reads a JSON text and returns where it begins.
    func start(of value: RawSpan) -> Int {
        // No JSON text begins with 0: that is a registry's mark, before four bytes of schema ID.
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
