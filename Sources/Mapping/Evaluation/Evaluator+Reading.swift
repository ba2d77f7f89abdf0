internal import Delivery
internal import JSON

extension Evaluator {
    /// Parses a value's event into the tape: the only function that knows event formats.
    mutating func readEvent(in value: RawSpan) throws(EventFault) -> EventBytes {
        root = 0
        switch plan.format {
        case .json: return .value(from: try readJSON(value))
        case .jsonInside: return try readEventInside(value)
        case .cloudEvents: return try readCloudEvent(value)
        }
    }

    /// Reads a value of which a member is the event, or contains its JSON text.
    private mutating func readEventInside(_ value: RawSpan) throws(EventFault) -> EventBytes {
        let start = try readJSON(value)
        let text = value.extracting(start...)
        root = -1
        for path in plan.event.paths {
            guard case .node(let node) = node(path, from: 0, in: text) else { continue }
            switch tape[node].kind {
            case .object, .array:
                root = node
                return .value(from: start)
            case .string:
                try readText(of: node, in: text)
                return .decoded
            case .number, .boolean, .null:
                throw EventFault(
                    words: "\(plan.event.written) is \(shape(ofNode: node).words), not an object"
                        + " or a string that contains one",
                    reason: .wrongType, place: plan.event.place)
            }
        }
        return .value(from: start)
    }

    /// Reads the JSON text in a string; it replaces the tape.
    private mutating func readText(of node: Int, in text: RawSpan) throws(EventFault) {
        decoded.removeAll(keepingCapacity: true)
        decoded.appendText(of: node, on: tape, in: text)
        do throws(JSONError) {
            try tape.read(decoded)
        } catch {
            throw EventFault(
                words: decoded.isEmpty
                    ? "the string in \(plan.event.written) is empty"
                    : "the string in \(plan.event.written) is not valid JSON: \(error.message)"
                        + " at its byte \(error.offset)",
                place: plan.event.place)
        }
        root = 0
    }

    /// Where the JSON text of a value begins.
    func start(of value: RawSpan) -> Int {
        // No JSON text begins with 0 or 3.
        guard value.byteCount >= 5, value.byte(at: 0) < 0x09 else { return 0 }
        return startBehindPrefix(of: value)
    }

    /// A registry's serializers write a prefix: byte 0 and an ID of four bytes, of which none is 0,
    /// or of eight in Apicurio's; in AWS Glue's byte 3, 0 for what is not compressed, and a UUID.
    private func startBehindPrefix(of value: RawSpan) -> Int {
        switch value.byte(at: 0) {
        case 0:
            let isLong = value.byteCount >= 9 && (1...4).allSatisfy { value.byte(at: $0) == 0 }
            return isLong ? 9 : 5
        case 3 where value.byteCount >= 18 && value.byte(at: 1) == 0: return 18
        default: return 0
        }
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
