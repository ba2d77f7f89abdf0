internal import JSON

/// The members of an object of the event among those of a payload: the key `...`.
extension Evaluator {
    /// Appends the members of an object without those that are written next to it; of several with
    /// the same name, the last.
    mutating func appendMembers(
        of template: Int32, besides names: MappingPlan.Run, isTop: Bool, to out: inout ByteBuffer,
        in bytes: RawSpan
    ) throws(MappingFault) {
        guard template >= 0 else { return }
        let hole = plan.templates[Int(template)].aloneHole
        let spread = Spread(names: names, isTop: isTop, hole: hole)
        switch try value(ofHole: hole, in: bytes) {
        case .absent: _ = try omit(hole)
        case .node(let node) where tape[node].kind == .object:
            try append(spread, of: node, to: &out, in: bytes)
        case .text(let piece) where plan.holes[Int(hole)].isParsed:
            try append(spread, ofParsed: piece, to: &out)
        default: throw MappingFault(cause: .unfit(.object), hole: hole)
        }
    }

    /// Which members are appended.
    private struct Spread: BitwiseCopyable {
        var names: MappingPlan.Run
        var isTop: Bool
        var hole: Int32
    }

    /// Appends the members of an object that `parse` has produced.
    private mutating func append(
        _ spread: Spread, ofParsed piece: TextPiece, to out: inout ByteBuffer
    ) throws(MappingFault) {
        let text = Array(scratch[piece.start..<piece.end])
        swap(&tape, &parsedTape)
        defer { swap(&tape, &parsedTape) }
        guard (try? tape.read(text)) != nil, tape[0].kind == .object else {
            throw MappingFault(cause: .unfit(.object), hole: spread.hole)
        }
        var fault: MappingFault?
        text.withBytes { bytes in
            do throws(MappingFault) {
                try append(spread, of: 0, to: &out, in: bytes)
            } catch { fault = error }
        }
        if let fault { throw fault }
    }

    private mutating func append(
        _ spread: Spread, of object: Int, to out: inout ByteBuffer, in bytes: RawSpan
    ) throws(MappingFault) {
        let members = tape.children(of: object)
        var name = members.first
        while name < members.end {
            let value = tape.next(after: name)
            // Each name is compared with all others.
            spend(nodesIn: object)
            guard workLeft >= 0 else { throw tooExpensive(spread.hole) }
            if spread.isTop, tape.isText(name, Self.aps, in: bytes) {
                throw MappingFault(cause: .invalid(.spreadAps), hole: spread.hole)
            }
            if isLast(name, value, of: object, in: bytes), !isWritten(name, spread, in: bytes) {
                if isBehindItem(out) { out.append(UInt8(ascii: ",")) }
                out.append(UInt8(ascii: "\""))
                out.appendStringContent(of: name, on: tape, in: bytes)
                out.appendASCII("\":")
                out.appendJSON(of: value, on: tape, in: bytes)
            }
            name = tape.next(after: value)
        }
    }

    /// True unless a later member has the same name.
    private mutating func isLast(
        _ name: Int, _ value: Int, of object: Int, in bytes: RawSpan
    ) -> Bool {
        let start = scratch.count
        scratch.appendText(of: name, on: tape, in: bytes)
        defer { scratch.removeLast(scratch.count - start) }
        return tape.member(scratch, from: start, to: scratch.count, of: object, in: bytes) == value
    }

    private mutating func isWritten(_ name: Int, _ spread: Spread, in bytes: RawSpan) -> Bool {
        for index in spread.names.range
        where tape.isText(name, plan.spreadNames[index], in: bytes) {
            return true
        }
        return false
    }

    private static let aps = Array("aps".utf8)
}
