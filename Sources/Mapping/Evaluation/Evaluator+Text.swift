internal import JSON

extension Evaluator {
    /// A string without leading and trailing white space.
    func trimmed(_ piece: TextPiece) -> TextPiece {
        var piece = piece
        while let first = TextScan.first(scratch, piece.start, piece.end), first.isSpace {
            piece.start = first.end
        }
        while let last = TextScan.last(scratch, piece.start, piece.end), last.isSpace {
            piece.end = last.start
        }
        return piece
    }

    /// Changes the case of a string at the end of the scratch buffer.
    mutating func cased(_ piece: TextPiece, upper: Bool) -> TextPiece {
        guard TextScan.isASCII(scratch, piece.start, piece.end) else {
            borrowWork { text, work in
                CaseMapping.append(text.span.extracting(piece.start..<piece.end), upper, to: &work)
            }
            return takeWork()
        }
        let first = upper ? UInt8(ascii: "a") : UInt8(ascii: "A")
        for index in piece.start..<piece.end where scratch[index] &- first < 26 {
            scratch[index] ^= 0x20
        }
        return piece
    }

    /// A string with each occurrence of one string replaced by another, from left to right.
    ///
    /// Searched with the algorithm of Knuth, Morris and Pratt: the time is linear.
    mutating func replaced(
        _ piece: TextPiece, _ old: MappingPlan.Piece, _ borders: Int32, by new: MappingPlan.Piece
    ) -> TextPiece {
        let first = Int(old.start)
        let count = Int(old.end) - first
        work.removeAll(keepingCapacity: true)
        // What is before this place has been written.
        var done = piece.start
        var length = 0
        for index in piece.start..<piece.end {
            let byte = scratch[index]
            while length > 0, byte != plan.constants[first + length] {
                length = Int(plan.borders[Int(borders) + length - 1])
            }
            if byte == plan.constants[first + length] { length += 1 }
            guard length == count else { continue }
            work.append(scratch, from: done, to: index + 1 - count)
            work.append(plan.constants, from: Int(new.start), to: Int(new.end))
            (done, length) = (index + 1, 0)
            // The result may be longer than what it is made from.
            if work.count > workLeft { break }
        }
        work.append(scratch, from: done, to: piece.end)
        return takeWork()
    }

    /// At most `count` characters of a string, including `…`; no more of it is read than needed.
    mutating func truncate(
        _ value: Value, to count: Int, _ hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> TextPiece {
        if notesCuts { try noteCut(of: value, to: count, hole, in: bytes) }
        guard case .node(let node) = value, tape[node].kind == .string else {
            let whole = try text(value, for: .truncate, hole, in: bytes)
            return truncated(whole, to: count, isWhole: true)
        }
        let start = scratch.count
        let window = Graphemes.window(of: count, hasEscapes: tape[node].hasEscapes)
        let isWhole = scratch.appendText(of: node, on: tape, in: bytes, atMost: window)
        let piece = piece(from: start)
        spend(piece.end - piece.start)
        return truncated(piece, to: count, isWhole: isWhole)
    }

    /// At most `count` characters of a string at the end of the scratch buffer, including `…`.
    mutating func truncated(_ piece: TextPiece, to count: Int, isWhole: Bool) -> TextPiece {
        let cut = Graphemes.cut(scratch, piece.start, piece.end, to: count, isWhole: isWhole)
        guard let end = cut else { return piece }
        scratch.removeLast(scratch.count - end)
        for byte in "…".utf8 { scratch.append(byte) }
        return self.piece(from: piece.start)
    }

    /// Passes the scratch buffer for reading, and the emptied work buffer for writing.
    mutating func borrowWork(_ body: ([UInt8], inout [UInt8]) -> Void) {
        var buffer: [UInt8] = []
        swap(&buffer, &work)
        buffer.removeAll(keepingCapacity: true)
        body(scratch, &buffer)
        swap(&buffer, &work)
    }

    /// Writes a device token in hexadecimal, whether the event encodes it so or in base64.
    mutating func hex(
        _ value: Value, _ hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        let text = try text(value, for: .hex, hole, in: bytes)
        work.removeAll(keepingCapacity: true)
        guard HexText.append(scratch, text.start, text.end, to: &work) else {
            throw MappingFault(cause: .invalid(.base64), hole: hole)
        }
        return .text(takeWork())
    }
}
