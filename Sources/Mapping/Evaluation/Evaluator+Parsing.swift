internal import JSON

/// JSON that is in a string of the event: the transform `parse`.
extension Evaluator {
    /// The compact JSON of the value that a string contains.
    mutating func parse(
        _ value: Value, _ hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> TextPiece {
        let written = try text(value, for: .parse, hole, in: bytes)
        // Moved out and back, so that it can be read while the rest changes.
        var text: [UInt8] = []
        swap(&text, &work)
        defer { swap(&text, &work) }
        text.removeAll(keepingCapacity: true)
        text.append(scratch, from: written.start, to: written.end)
        do throws(JSONError) {
            try parsedTape.read(text, replacesLoneSurrogates: !plan.isStrictUnicode)
        } catch {
            throw MappingFault(
                cause: .invalid(error.isTooDeep ? .tooDeep : .unparsable), hole: hole)
        }
        let start = scratch.count
        scratch.appendJSON(of: 0, on: parsedTape, in: text)
        spend(scratch.count - start)
        return piece(from: start)
    }

    /// Appends the value that `parse` has produced.
    mutating func append(
        parsed piece: TextPiece, as target: PayloadTarget, to out: inout ByteBuffer, hole: Int32
    ) throws(MappingFault) {
        let first = scratch[piece.start]
        let isFit =
            switch first {
            case UInt8(ascii: "{"): true
            case UInt8(ascii: "\""): target == .any || target == .textOrObject
            default: target == .any
            }
        guard isFit else { throw MappingFault(cause: .unfit(target), hole: hole) }
        out.append(scratch, from: piece.start, to: piece.end)
    }
}
