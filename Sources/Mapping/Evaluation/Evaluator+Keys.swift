internal import Delivery
internal import JSON

/// Keys that are read as events are.
extension Evaluator {
    /// Puts the key behind the event, so that one tape has both.
    mutating func addKey(to event: EventBytes, _ value: RawSpan) throws(EventFault) {
        let hasValueToo = plan.valueStart >= 0
        switch event {
        case .decoded where hasValueToo:
            // It is a list already: the value, and the event.
            decoded.removeLast()
        case .decoded:
            joined.removeAll(keepingCapacity: true)
            joined.append(UInt8(ascii: "["))
            let mark = decoded.withBytes { Self.markLength(of: $0) }
            joined.append(contentsOf: decoded[mark...])
            swap(&joined, &decoded)
            root = 1
        case .value(let start):
            decoded.removeAll(keepingCapacity: true)
            decoded.append(UInt8(ascii: "["))
            let text = value.extracting(start...)
            decoded.appendBytes(text.extracting(Self.markLength(of: text)...))
            // The list stands before all nodes of the value.
            if root >= 0 { root += 1 }
            valueRoot = 1
        }
        decoded.append(UInt8(ascii: ","))
        decoded.append(contentsOf: keyText)
        decoded.append(UInt8(ascii: "]"))
        do throws(JSONError) { try read(decoded) } catch {
            throw EventFault(message: "the value beside its key is nested too deeply")
        }
        keyRoot = tape.next(after: 1)
        if case .decoded = event, hasValueToo { keyRoot = tape.next(after: keyRoot) }
    }

    /// A record without a key has null.
    mutating func takeNoKey() {
        keyText.removeAll(keepingCapacity: true)
        keyText.append(contentsOf: "null".utf8)
    }

    /// Takes the JSON text of a key.
    mutating func take(key: RawSpan) throws(EventFault) {
        keyText.removeAll(keepingCapacity: true)
        guard key.byteCount <= Mapper.eventLimit else {
            throw EventFault(
                message: "the key has more than \(Mapper.eventLimit) bytes",
                reason: .recordTooLarge)
        }
        let text = key.extracting(Self.markLength(of: key)...)
        do throws(JSONError) {
            try parsedTape.read(text, replacesLoneSurrogates: !plan.isStrictUnicode)
        } catch {
            throw EventFault(
                message: text.byteCount == 0
                    ? "the key is empty" : error.description(of: "the key"))
        }
        keyText.appendBytes(text)
    }
}
