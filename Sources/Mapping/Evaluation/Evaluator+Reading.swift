internal import Delivery
internal import JSON

extension Evaluator {
    /// Parses a value's event into the tape: the only function that knows event formats.
    mutating func readEvent(in value: RawSpan) throws(EventFault) -> EventBytes {
        root = 0
        valueRoot = 0
        let event: EventBytes =
            switch plan.format {
            case .json: .value(from: try readJSON(value))
            case .jsonInside: try readEventInside(value)
            case .cloudEvents: try readCloudEvent(value)
            }
        guard plan.keyStart >= 0 else { return event }
        try addKey(to: event, value)
        return .decoded
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
                    message:
                        "\(plan.event.written) is \(shape(ofNode: node).message), not an object"
                        + " or a string that contains one",
                    reason: .wrongType, location: plan.event.location)
            }
        }
        return .value(from: start)
    }

    /// Reads the JSON text in a string; it replaces the tape.
    private mutating func readText(of node: Int, in text: RawSpan) throws(EventFault) {
        decoded.removeAll(keepingCapacity: true)
        decoded.appendText(of: node, on: tape, in: text)
        do throws(JSONError) {
            try read(decoded)
        } catch {
            throw EventFault(
                message: decoded.isEmpty
                    ? "the string in \(plan.event.written) is empty"
                    : error.description(of: "the string in \(plan.event.written)"),
                specifics: decoded.isEmpty ? "" : " at its byte \(error.offset)",
                location: plan.event.location)
        }
        root = 0
        try keep(text)
    }

    /// Puts the record's value before the event that was decoded from it, so that one tape has both
    /// where something refers to the value.
    mutating func keep(_ value: RawSpan) throws(EventFault) {
        guard plan.valueStart >= 0 else { return }
        joined.removeAll(keepingCapacity: true)
        joined.append(UInt8(ascii: "["))
        joined.appendBytes(value.extracting(Self.markLength(of: value)...))
        joined.append(UInt8(ascii: ","))
        let mark = decoded.withBytes { Self.markLength(of: $0) }
        joined.append(contentsOf: decoded[mark...])
        joined.append(UInt8(ascii: "]"))
        swap(&joined, &decoded)
        do throws(JSONError) { try read(decoded) } catch {
            throw EventFault(message: "the value around the event is nested too deeply")
        }
        valueRoot = 1
        root = tape.next(after: valueRoot)
    }

    /// The length of a byte order mark.
    static func markLength(of text: RawSpan) -> Int {
        text.byteCount >= 3 && text.byte(at: 0) == 0xEF && text.byte(at: 1) == 0xBB
            && text.byte(at: 2) == 0xBF ? 3 : 0
    }

    /// Reads a JSON text of the event into the tape.
    mutating func read(_ text: [UInt8]) throws(JSONError) {
        try tape.read(text, replacesLoneSurrogates: !plan.isStrictUnicode)
    }

    /// Where the JSON text of a value begins.
    func start(of value: RawSpan) -> Int { RegistryFrame.end(in: value) }

    mutating func readJSON(_ value: RawSpan) throws(EventFault) -> Int {
        if isRead { return 0 }
        let start = start(of: value)
        do throws(JSONError) {
            try tape.read(
                value.extracting(start...), replacesLoneSurrogates: !plan.isStrictUnicode)
        } catch {
            isForeign = error.offset == 0 && value.byteCount > 0
            if isForeign, let message = RegistryFrame.message(of: value) {
                isForeign = false
                throw EventFault(message: "the value is not JSON: " + message)
            }
            throw EventFault(
                message: value.byteCount == 0
                    ? "the value is empty"
                    : error.description(of: "the value"),
                specifics: value.byteCount == 0 ? "" : " at byte \(error.offset + start)")
        }
        return start
    }
}
