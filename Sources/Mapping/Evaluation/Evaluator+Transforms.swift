internal import JSON

extension Evaluator {
    /// Applies a transform to a value that is present.
    mutating func apply(
        _ transform: MappingPlan.Transform, to value: Value, hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        switch transform {
        case .standIn: return value
        case .text:
            if case .text = value { return value }
            return .text(try copy(value, hole: hole, in: bytes))
        case .json: return .text(try json(value, hole: hole, in: bytes))
        case .number: return try number(value, hole: hole, in: bytes)
        case .length: return try length(value, hole: hole, in: bytes)
        case .nonempty:
            guard isText(value) else { throw MappingFault(cause: .unfit(.text), hole: hole) }
            let piece = try copy(value, hole: hole, in: bytes)
            return piece.start == piece.end ? .absent : .text(piece)
        case .upper, .lower, .trim:
            guard isText(value) else { throw MappingFault(cause: .unfit(.text), hole: hole) }
            let piece = try copy(value, hole: hole, in: bytes)
            if case .trim = transform { return .text(trimmed(piece)) }
            if case .upper = transform { return .text(cased(piece, upper: true)) }
            return .text(cased(piece, upper: false))
        }
    }

    private func isText(_ value: Value) -> Bool {
        switch value {
        case .text: true
        case .node(let node): tape[node].kind == .string
        default: false
        }
    }

    /// Copies a value's text to the end of the scratch buffer.
    private mutating func copy(
        _ value: Value, hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> TextPiece {
        let start = scratch.count
        if case .text(let piece) = value, !piece.isConstant {
            for index in piece.start..<piece.end { scratch.append(scratch[index]) }
            return self.piece(from: start)
        }
        var buffer: [UInt8] = []
        swap(&buffer, &scratch)
        defer { swap(&buffer, &scratch) }
        try append(value, to: &buffer, escaped: false, hole: hole, in: bytes)
        return TextPiece(isConstant: false, start: start, end: buffer.count)
    }

    private mutating func json(
        _ value: Value, hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> TextPiece {
        let start = scratch.count
        if case .node(let node) = value {
            scratch.appendJSON(of: node, on: tape, in: bytes)
            return piece(from: start)
        }
        guard isText(value) else { return try copy(value, hole: hole, in: bytes) }
        let text = try copy(value, hole: hole, in: bytes)
        let content = String(decoding: scratch[text.start..<text.end], as: UTF8.self)
        scratch.removeLast(scratch.count - start)
        scratch.append(UInt8(ascii: "\""))
        scratch.appendJSONText(content)
        scratch.append(UInt8(ascii: "\""))
        return piece(from: start)
    }

    private mutating func number(
        _ value: Value, hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        switch value {
        case .number, .time: return value
        case .node(let node) where tape[node].kind == .number: return value
        default: break
        }
        guard isText(value) else { throw MappingFault(cause: .unfit(.number), hole: hole) }
        let piece = try copy(value, hole: hole, in: bytes)
        let text = String(decoding: scratch[piece.start..<piece.end], as: UTF8.self)
        guard PlainScalar.isJSONNumber(text) else {
            throw MappingFault(cause: .invalid(.number), hole: hole)
        }
        return .number(piece)
    }

    private mutating func length(
        _ value: Value, hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        var count: Int64 = 0
        switch value {
        case .everyElement(let array, let rest):
            let children = tape.children(of: array)
            var element = children.first
            while element < children.end {
                if case .node = node(rest, from: element, in: bytes) { count += 1 }
                element = tape.next(after: element)
            }
        case .node(let node) where tape[node].kind == .array || tape[node].kind == .object:
            let children = tape.children(of: node)
            var child = children.first
            while child < children.end {
                count += 1
                child = tape.next(after: child)
            }
            if tape[node].kind == .object { count /= 2 }
        default:
            guard isText(value) else { throw MappingFault(cause: .unfit(.text), hole: hole) }
            let piece = try copy(value, hole: hole, in: bytes)
            count = Int64(String(decoding: scratch[piece.start..<piece.end], as: UTF8.self).count)
        }
        return .time(count)
    }

    private func trimmed(_ piece: TextPiece) -> TextPiece {
        var piece = piece
        while piece.start < piece.end, isSpace(scratch[piece.start]) { piece.start += 1 }
        while piece.start < piece.end, isSpace(scratch[piece.end - 1]) { piece.end -= 1 }
        return piece
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Changes the case of a text at the end of the scratch buffer.
    private mutating func cased(_ piece: TextPiece, upper: Bool) -> TextPiece {
        var isASCII = true
        for index in piece.start..<piece.end where scratch[index] >= 0x80 { isASCII = false }
        guard isASCII else {
            let text = String(decoding: scratch[piece.start..<piece.end], as: UTF8.self)
            let start = scratch.count
            scratch.append(contentsOf: (upper ? text.uppercased() : text.lowercased()).utf8)
            return self.piece(from: start)
        }
        let first = upper ? UInt8(ascii: "a") : UInt8(ascii: "A")
        for index in piece.start..<piece.end where scratch[index] &- first < 26 {
            scratch[index] ^= 0x20
        }
        return piece
    }
}
