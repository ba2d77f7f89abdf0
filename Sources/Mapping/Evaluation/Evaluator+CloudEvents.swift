internal import Encoding
internal import JSON

/// CloudEvents 1.0 in both modes of its Kafka protocol binding; headers may also be spelled as in
/// HTTP, `ce-type`, which bridges from HTTP to Kafka copy.
///
/// Source: CloudEvents, *Kafka Protocol Binding*, *HTTP Protocol Binding* and *JSON Event Format*,
/// version 1.0.2.
extension Evaluator {
    /// Reads a CloudEvent: its attributes, and the data that paths start from.
    mutating func readCloudEvent(_ value: RawSpan) throws(EventFault) -> EventBytes {
        switch try mode() {
        case .binary:
            for index in attributes.indices {
                attributes[index] = header(of: plan.attributes[index])
            }
            try checkAttributes(in: "header 'ce_", "'")
            guard value.byteCount > 0 else {
                root = -1
                valueRoot = -1
                return .value(from: 0)
            }
            return .value(from: try readJSON(value))
        case .structured, .unknown:
            let start = try readJSON(value)
            let text = value.extracting(start...)
            takeAttributes(in: text)
            try checkAttributes(in: "attribute '", "'")
            return try findData(in: text) ?? .value(from: start)
        }
    }

    private enum Mode { case structured, binary, unknown }

    /// The content type decides, as the binding requires; without one, the headers do.
    private func mode() throws(EventFault) -> Mode {
        if case .text(let type) = headers[Int(plan.contentType)], has(type, ContentType.event) {
            if has(type, ContentType.batch) {
                throw EventFault(
                    message: "it is a batch of CloudEvents: write each event to its own record"
                )
            }
            guard has(type, ContentType.eventAsJSON) else {
                throw EventFault(message: "it is a CloudEvent, but not in JSON format")
            }
            return .structured
        }
        if case .absent = header(of: plan.attributes[0]) { return .unknown }
        return .binary
    }

    /// The header that contains an attribute: as Kafka spells it, or as HTTP does.
    private func header(of attribute: EventAttribute) -> Metadata {
        let header = headers[Int(attribute.header)]
        guard case .absent = header, attribute.httpHeader >= 0 else { return header }
        return headers[Int(attribute.httpHeader)]
    }

    /// True when a content type starts with these letters, ignoring its case.
    private func has(_ type: TextPiece, _ letters: [UInt8]) -> Bool {
        guard type.end - type.start >= letters.count else { return false }
        return letters.indices.allSatisfy {
            scratch[type.start + $0].inLowerCase == letters[$0]
        }
    }

    /// Copies the requested attributes: numbers and booleans as written, so that both modes yield
    /// the same string.
    private mutating func takeAttributes(in text: RawSpan) {
        for index in attributes.indices {
            attributes[index] = .absent
            guard case .node(let node) = node(plan.attributes[index].path, from: 0, in: text) else {
                continue
            }
            let start = scratch.count
            switch tape[node].kind {
            case .string: scratch.appendText(of: node, on: tape, in: text)
            case .number, .boolean: scratch.appendJSON(of: node, on: tape, in: text)
            case .null, .array, .object:
                attributes[index] = .invalid
                continue
            }
            attributes[index] = .text(piece(from: start))
        }
    }

    private func checkAttributes(in prefix: String, _ suffix: String) throws(EventFault) {
        for index in EventAttribute.required.indices {
            let name = EventAttribute.required[index]
            guard case .text(let piece) = attributes[index], piece.start < piece.end else {
                throw EventFault(
                    message: index == 0 && prefix.hasPrefix("attribute")
                        ? "it is not a CloudEvent: it has neither a header 'ce_specversion' "
                            + "nor a member 'specversion'"
                        : "the CloudEvents \(prefix)\(name)\(suffix) is missing or empty")
            }
            guard index > 0 || scratch[piece.start..<piece.end].elementsEqual("1.0".utf8) else {
                throw EventFault(message: "its specversion is not 1.0")
            }
        }
    }

    /// Points the root at the data; base64 data is decoded and replaces the tape.
    private mutating func findData(in text: RawSpan) throws(EventFault) -> EventBytes? {
        let encoded = node(plan.encodedData, from: 0, in: text)
        if let data = tape.find(Int(plan.data), of: plan.paths, in: text) {
            if case .node = encoded {
                throw EventFault(message: "it has both 'data' and 'data_base64'")
            }
            root = tape[data].kind == .null ? -1 : data
            return nil
        }
        guard case .node(let node) = encoded else {
            root = -1
            return nil
        }
        scratchData(node, in: text)
        guard tape[node].kind == .string, Base64.standard.decode(inPlace: &decoded) else {
            throw EventFault(message: "its 'data_base64' is not valid Base64")
        }
        do throws(JSONError) {
            try read(decoded)
        } catch {
            throw EventFault(
                message: error.description(of: "its 'data_base64'"),
                specifics: " at byte \(error.offset)")
        }
        try keep(text)
        return .decoded
    }

    private mutating func scratchData(_ node: Int, in text: RawSpan) {
        decoded.removeAll(keepingCapacity: true)
        decoded.appendText(of: node, on: tape, in: text)
    }
}

/// The media types of CloudEvents.
private enum ContentType {
    static let event = Array("application/cloudevents".utf8)
    static let eventAsJSON = Array("application/cloudevents+json".utf8)
    static let batch = Array("application/cloudevents-batch".utf8)
}
